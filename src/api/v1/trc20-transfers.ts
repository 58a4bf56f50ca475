import { addressText } from '../../encoding/address-text.js';
import { JsonObject, jsonObject } from '../../encoding/json/json-value.js';
import { itemAt } from '../../primitives/assert.js';
import { fromHex, toHex } from '../../primitives/bytes.js';
import type { HistoryRow } from '../../projections/indexes/account-history.js';
import type { TokenTransfer } from '../../projections/indexes/token-transfer.js';
import { tokenTransfersIndex } from '../../projections/indexes/token-transfers.js';
import type { TokenFact } from '../abi/token-facts.js';
import { blockAt, transactionIn } from '../context/read-block.js';
import { heightRange } from './height-range.js';
import { OneChain } from './one-chain.js';
import { CANDIDATE_WORK, type Candidate, decodeFingerprint, firstOf, isAfter, takePage } from './page.js';
import { readPathAddress } from './read-path.js';
import type { V1Answer } from './route.js';
import type { V1Source } from './v1-source.js';

const HISTORY = tokenTransfersIndex.name;
/**
 * Factor for the maximum number of index rows that a page reads: `limit` × this number. Each row takes some
 * microseconds.
 */
const CANDIDATES = 20;
/**
 * Maximum number of uncached tokens per page. Each of them needs three calls of some milliseconds: name, symbol,
 * decimals.
 */
const NEW_TOKENS_MAX = 10;

/**
 * Returns the TRC20 transfers of an account.
 * @throws {V1Error} the request is invalid
 * @throws {TronError} PROJECTION_OFF: the projection is not enabled
 */
export const trc20Transfers: V1Answer = (source, query, path) => {
  const address = toHex(readPathAddress(source, itemAt(path, 0)));
  const contractText = query.text('contract_address');
  const contract = contractText === undefined ? undefined : toHex(readPathAddress(source, contractText));
  const [onlyTo, onlyFrom] = [query.flag('only_to') === true, query.flag('only_from') === true];
  const { isAscending, limit } = query;
  const start = decodeFingerprint(HISTORY, query.text('fingerprint'));
  const range = { ...heightRange(source, query), isAscending, start };
  const matches = ({ kind, token, from, to }: TokenTransfer): boolean =>
    kind === 'TRC20' &&
    (contract === undefined || token === contract) &&
    (onlyTo === onlyFrom || (onlyTo ? to === address : from === address));
  const unknownTokens = new Set<string>();
  const candidatesMax = limit * CANDIDATES;
  const rows = firstOf(source.histories.rows(HISTORY, fromHex(address), range), candidatesMax + 2);
  function* all(): Iterable<Candidate> {
    for (const row of rows) {
      const transfer = tokenTransfersIndex.decode(row.value);
      const { position } = row;
      if (!matches(transfer)) {
        yield { position, item: undefined };
        continue;
      }
      const { token } = transfer;
      if (!source.tokens.isKnown(token)) unknownTokens.add(token);
      yield {
        position,
        item: () => transferRow(source, row, transfer),
        endsPage: unknownTokens.size > NEW_TOKENS_MAX,
      };
    }
  }
  const candidates = isAfter(start, isAscending, all());
  return takePage(
    { list: HISTORY, candidates, limit, candidatesMax: candidatesMax, candidateWork: CANDIDATE_WORK },
    new OneChain(source),
  );
};

function transferRow(source: V1Source, { position }: HistoryRow, transfer: TokenTransfer): JsonObject {
  const [number, index = 0] = position;
  const block = blockAt(source, number);
  const contract = fromHex(transfer.token);
  return jsonObject({
    transaction_id: toHex(transactionIn(block, index).id),
    token_info: tokenInfo(contract, source.tokens.of(contract)),
    block_timestamp: BigInt(block.header.timestamp),
    from: addressText(fromHex(transfer.from)),
    to: addressText(fromHex(transfer.to)),
    type: 'Transfer',
    value: transfer.amount,
  });
}

/** Renders name, symbol and decimals of a token. A value is null if the call of the token contract failed. */
function tokenInfo(contract: Uint8Array, { symbol, decimals, name }: TokenFact): JsonObject {
  // Only Jackson's form prints members that are null.
  const info = new JsonObject('jackson');
  info.set('symbol', symbol);
  info.set('address', addressText(contract));
  info.set('decimals', decimals === null ? null : BigInt(decimals));
  info.set('name', name);
  return info;
}
