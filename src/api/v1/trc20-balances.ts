import { addressText } from '../../encoding/address-text.js';
import { type JsonObject, jsonObject } from '../../encoding/json/json-value.js';
import { concatBytes, fromHex, toHex, toUnsigned } from '../../primitives/bytes.js';
import { WORD_BYTES } from '../../primitives/units.js';
import { requestConstant } from './constant-request.js';
import type { OneChain } from './one-chain.js';
import { badParameter, V1Error } from './v1-error.js';
import type { V1Source } from './v1-source.js';

/**
 * Maximum number of contracts that are called for a response. The limit is necessary, because a call takes about 1 ms,
 * and an account may have thousands of tokens.
 */
const CONTRACTS_MAX = 200;
/** Maximum number of calls for a response that may run in the pool. */
const COSTLY_MAX = 3;
/** Cost of a call, in read blocks. */
const CALL_WORK = 2;
const LIST = 'trc20:';

interface Trc20Balances {
  /** Balances as objects `{ <contract>: <decimal> }`, in order of contract address. Zero balances are omitted. */
  readonly balances: readonly JsonObject[];
  /** Cursor for the next page; undefined on the last page. */
  readonly fingerprint: string | undefined;
}

/**
 * Returns the TRC20 balances of an account. Calls `balanceOf` of each token that the account has ever sent or received,
 * because some contracts change balances without events. Skips contracts whose call fails.
 * @throws {V1Error} the request is invalid, or the log does not start at genesis, so earlier tokens are unknown
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
  const parameter = concatBytes(new Uint8Array(WORD_BYTES - 20), address.subarray(1));
  const balances: JsonObject[] = [];
  let [calls, expensiveCalls] = [0, 0];
  let last: Uint8Array | undefined;
  for (const contract of source.histories.tokenContracts(address, readFingerprint(fingerprint))) {
    if (calls === CONTRACTS_MAX || expensiveCalls === COSTLY_MAX) return { balances, fingerprint: fingerprintOf(last) };
    await chain.take(CALL_WORK);
    const answer = await requestConstant(source, { view, contract, signature: 'balanceOf(address)', parameter });
    calls++;
    if (answer.wasCostly) expensiveCalls++;
    last = contract;
    const balance = answer.data?.length === WORD_BYTES ? toUnsigned(answer.data) : 0n;
    if (balance > 0n) balances.push(jsonObject({ [addressText(contract)]: String(balance) }));
  }
  return { balances, fingerprint: undefined };
}

function fingerprintOf(contract: Uint8Array | undefined): string | undefined {
  return contract && Buffer.from(LIST + toHex(contract)).toString('base64url');
}

/** Decodes a fingerprint. @throws {V1Error} the fingerprint is malformed, or belongs to another list */
function readFingerprint(text: string | undefined): Uint8Array | undefined {
  if (text === undefined) return undefined;
  const [, contract] = /^trc20:([0-9a-f]{42})$/.exec(Buffer.from(text, 'base64url').toString()) ?? [];
  if (contract === undefined) throw badParameter('fingerprint', 'is not from a page of this list');
  return fromHex(contract);
}
