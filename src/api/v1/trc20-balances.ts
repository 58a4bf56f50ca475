import { addressText } from '../../encoding/address-text.js';
import { type JsonObject, jsonObject } from '../../encoding/json/json-value.js';
import { toHex } from '../../primitives/bytes.js';
import { tokenContractsIndex } from '../../projections/indexes/token-contracts.js';
import { balanceCall, decodeBalance } from '../abi/token-balance.js';
import { decodeAddressCursor } from '../indexes/index-pages.js';
import { requestConstant } from './constant-request.js';
import type { OneChain } from './one-chain.js';
import { decodeTextFingerprint, encodeFingerprint } from './page.js';
import { V1Error } from './v1-error.js';
import type { V1Source } from './v1-source.js';

/**
 * Maximum number of contracts that are called for a response. The limit is necessary, because a call takes about 1 ms,
 * and an account may have thousands of tokens.
 */
const CONTRACTS_MAX = 200;
/** Maximum number of calls for a response that may run in the call pool (worker threads). */
const COSTLY_MAX = 3;
/** Cost of a call. The unit is the cost of reading one block. */
const CALL_WORK = 2;
const LIST = 'trc20';

interface Trc20Balances {
  /** Balances as objects `{ <contract>: <decimal> }`, in order of contract address. Zero balances are omitted. */
  readonly balances: readonly JsonObject[];
  /** Cursor for the next page; undefined on the last page. */
  readonly fingerprint: string | undefined;
}

/**
 * Returns the TRC20 balances of an account. Calls `balanceOf` of each token that the account has ever sent or received,
 * because some contracts change balances without events. Skips contracts whose call fails.
 * @throws {V1Error} the request is invalid, or the block log does not start at genesis, so earlier tokens are unknown
 * @throws {TronError} PROJECTION_OFF: the projection is not enabled
 */
export async function trc20Balances(
  source: V1Source,
  {
    view,
    address,
    fingerprint,
  }: { view: 'head' | 'irreversible'; address: Uint8Array; fingerprint: string | undefined },
  chain: OneChain,
): Promise<Trc20Balances> {
  const { base } = source.ledger;
  if (base !== undefined) {
    throw new V1Error(
      501,
      `the log of this node starts at block ${base.number}, so tokens received before that block are unknown`,
    );
  }
  const balances: JsonObject[] = [];
  let [calls, expensiveCalls] = [0, 0];
  let last: Uint8Array | undefined;
  const after = decodeTextFingerprint(LIST, fingerprint, decodeAddressCursor);
  const { values } = source.histories.distinctValues(tokenContractsIndex.name, address, { after });
  for (const { address: contract, row } of values) {
    // Skips a contract whose first transfer was in a reverted block. The projection has not deleted this value yet.
    if (row === undefined) continue;
    if (calls === CONTRACTS_MAX || expensiveCalls === COSTLY_MAX) return { balances, fingerprint: fingerprintOf(last) };
    await chain.take(CALL_WORK);
    const answer = await requestConstant(source, { view, contract, ...balanceCall(address) });
    calls++;
    if (answer.wasCostly) expensiveCalls++;
    last = contract;
    const balance = decodeBalance(answer.data) ?? 0n;
    if (balance > 0n) balances.push(jsonObject({ [addressText(contract)]: String(balance) }));
  }
  return { balances, fingerprint: undefined };
}

function fingerprintOf(contract: Uint8Array | undefined): string | undefined {
  return contract && encodeFingerprint(LIST, toHex(contract));
}
