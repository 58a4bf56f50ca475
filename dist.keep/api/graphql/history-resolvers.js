import { InternalTransaction } from '../../log/codec/generated/messages.js';
import { fromHex, toInt64 } from '../../log/domain/bytes.js';
import { addressText } from '../streams/triggers/address-text.js';
import { decodeListCursor, encodeListCursor, pageSize } from './page.js';
/** Places of a row's key behind its height, by projection: what its cursor holds. */
const PLACES = {
    'address-history': 1,
    'token-transfers': 2,
    'internal-transactions': 2,
    'balance-history': 0,
    'stake-history': 0,
};
/** Fields of an account that the history projections answer. */
export function historyResolvers(source) {
    const field = (projection, nodeOf) => ({ address }, { first, after }) => {
        const before = after ? decodeListCursor(projection, 1 + PLACES[projection], after) : undefined;
        const { rows, hasMore, upTo } = source.histories.page(projection, address, pageSize(first), before);
        const last = rows.at(-1);
        const endCursor = last === undefined ? null : encodeListCursor(projection, ...last.place);
        return { nodes: rows.map(nodeOf), upTo, pageInfo: { hasNextPage: hasMore, endCursor } };
    };
    const transactionAt = (number, index) => source.blocks.byNumber(number).transactions[index];
    const placed = ([blockNumber, transactionIndex = 0]) => ({
        blockNumber,
        transactionIndex,
        transactionId: transactionAt(blockNumber, transactionIndex).id,
    });
    return {
        transactions: field('address-history', ({ place: [number, index = 0] }) => transactionAt(number, index)),
        transfers: field('token-transfers', ({ place, value }) => transferNode(value, placed(place))),
        internalTransactions: field('internal-transactions', ({ place, value }) => ({
            ...placed(place),
            internal: InternalTransaction.decode(value),
        })),
        balanceHistory: field('balance-history', ({ place: [blockNumber], value }) => ({
            blockNumber,
            before: toInt64(value.subarray(0, 8)),
            after: toInt64(value.subarray(8)),
        })),
        stakeHistory: field('stake-history', ({ place: [blockNumber], value }) => ({
            blockNumber,
            ...amountsOf(JSON.parse(Buffer.from(value).toString())),
        })),
    };
}
function transferNode(value, place) {
    const { kind, token, from, to, amount } = JSON.parse(Buffer.from(value).toString());
    const isContract = kind === 'TRC20' || kind === 'TRC721';
    const shown = isContract ? addressText(fromHex(token)) : token;
    return { kind, token: shown, from: fromHex(from), to: fromHex(to), amount, ...place };
}
function amountsOf(summary) {
    return Object.fromEntries(Object.entries(summary).map(([name, amount]) => [name, BigInt(amount)]));
}
//# sourceMappingURL=history-resolvers.js.map