import { toAddress } from '../../log/domain/address.js';
import { fromHex, toHex } from '../../log/domain/bytes.js';
import { storageRowKey } from '../../vm/smart-contract/storage-key.js';
import { assetById } from '../operations/assets.js';
import { findLogs } from './find-logs.js';
import { graphqlError } from './graphql-errors.js';
import { decodeListCursor, encodeListCursor, pageSize } from './page.js';
import { waitingTransaction } from './read-block.js';
import { SortedTables } from './sorted-tables.js';
import { accountAt, contractAt } from './state-resolvers.js';
import { readStatus } from './status.js';
const WORD_BYTES = 32;
/** The entry points of `Query`. */
export function queryResolvers(source) {
    const { ledger, blocks, api } = source;
    const tables = new SortedTables();
    return {
        status: () => readStatus(source),
        block: (_, { number, id }) => {
            if (id)
                return ledger.numberOf(id) === undefined ? null : blocks.byId(id);
            return blocks.byNumber(Number(number ?? ledger.position.headNumber)) ?? null;
        },
        blocks: (_, args) => blockPage(source, args),
        transaction: (_, { id }) => findTransaction(source, id),
        pending: (_, { first }) => api.waiting.all().slice(0, pageSize(first)).map(waitingTransaction),
        account: (_, { address, at }) => accountAt(source, address, at),
        witnesses: (_, { at, ...page }) => tables.page('witnesses', source.at(at), page),
        proposals: (_, { at, ...page }) => tables.page('proposals', source.at(at), page),
        assets: (_, { at, ...page }) => tables.page('assets', source.at(at), page),
        asset: (_, { id, at }) => assetById(source.at(at), id) ?? null,
        contract: (_, { address, at }) => contractAt(source, address, at),
        storage: (_, args) => storageWord(source, args),
        logs: (_, { filter, ...page }) => findLogs(source, filter ?? {}, page),
    };
}
function blockPage({ ledger, blocks }, args) {
    const count = pageSize(args.first);
    const { headNumber } = ledger.position;
    const isDown = args.order !== 'OLDEST_FIRST';
    const step = isDown ? -1 : 1;
    const list = isDown ? 'blocks-down' : 'blocks-up';
    const start = args.after ? decodeListCursor(list, 1, args.after)[0] + step : isDown ? headNumber : 0;
    const nodes = [];
    for (let number = start; number >= 0 && number <= headNumber && nodes.length < count; number += step) {
        const block = blocks.byNumber(number);
        if (block !== undefined)
            nodes.push(block);
    }
    const last = nodes.at(-1)?.number;
    const hasNextPage = last === undefined ? false : isDown ? last > 0 : last < headNumber;
    return { nodes, pageInfo: { hasNextPage, endCursor: last === undefined ? null : encodeListCursor(list, last) } };
}
/** A transaction of the chain, else one that waits. */
export function findTransaction({ ledger, blocks, api }, id) {
    const place = id.length === WORD_BYTES ? ledger.transactionAt(id) : undefined;
    if (place !== undefined)
        return blocks.byNumber(place.number)?.transactions[place.index] ?? null;
    const waiting = api.waiting.find(toHex(id));
    return waiting === undefined ? null : waitingTransaction(waiting);
}
/** Reference: Storage.getValue; the key depends on how the contract was made. @throws {GraphQLError} BAD_VALUE */
function storageWord(source, { address, slot, at }) {
    if (slot.length > WORD_BYTES)
        throw graphqlError('BAD_VALUE', `a slot has at most ${WORD_BYTES} bytes`);
    const { state } = source.at(at);
    const contract = toAddress(address);
    const word = fromHex(toHex(slot).padStart(2 * WORD_BYTES, '0'));
    const key = storageRowKey(contract, state.contracts.get(contract), word);
    return state.storage.get(key) ?? new Uint8Array(WORD_BYTES);
}
//# sourceMappingURL=query-resolvers.js.map