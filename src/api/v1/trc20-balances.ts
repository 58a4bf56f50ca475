import { addressText } from '../../encoding/address-text.js';
import { type JsonObject, jsonObject } from '../../encoding/json/json-value.js';
import { concatBytes, fromHex, toHex } from '../../primitives/bytes.js';
import { WORD_BYTES } from '../../primitives/units.js';
import { requestConstant } from './constant-request.js';
import type { OneChain } from './one-chain.js';
import { badParameter, V1Error } from './v1-error.js';
import type { V1Source } from './v1-source.js';

/** Contracts that one answer asks: a call takes a millisecond, and an account can be sent tokens of thousands. */
const CONTRACTS_MAX = 200;
/** Calls of an answer that may take longer than this thread has. */
const COSTLY_MAX = 3;
/** What a call counts, in blocks that are read. */
const CALL_WORK = 2;
const LIST = 'trc20:';

interface Trc20Balances {
  /** `{ <contract>: <decimal> }`, in the order of the contracts' addresses; none of 0. */
  readonly balances: readonly JsonObject[];
  /** Behind which the next answer begins; undefined: there is none. */
  readonly fingerprint: string | undefined;
}

/**
 * What an account has of the tokens that it ever got or gave, as each contract's `balanceOf` says: a sum of transfers
 * would miss what contracts change without telling. A contract that fails has nothing.
 * @throws {V1Error | TronError} PROJECTION_OFF; a log that begins at a height does not know what was moved before
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
      `the log of this node begins at block ${base.number}: tokens that came before are not known`,
    );
  }
  const parameter = concatBytes(new Uint8Array(WORD_BYTES - 20), address.subarray(1));
  const balances: JsonObject[] = [];
  let [asked, costly] = [0, 0];
  let last: Uint8Array | undefined;
  for (const contract of source.histories.tokenContracts(address, readFingerprint(fingerprint))) {
    if (asked === CONTRACTS_MAX || costly === COSTLY_MAX) return { balances, fingerprint: fingerprintOf(last) };
    await chain.take(CALL_WORK);
    const said = await requestConstant(source, { view, contract, signature: 'balanceOf(address)', parameter });
    asked++;
    if (said.wasCostly) costly++;
    last = contract;
    const balance = said.data?.length === WORD_BYTES ? BigInt(`0x${toHex(said.data)}`) : 0n;
    if (balance > 0n) balances.push(jsonObject({ [addressText(contract)]: String(balance) }));
  }
  return { balances, fingerprint: undefined };
}

function fingerprintOf(contract: Uint8Array | undefined): string | undefined {
  return contract && Buffer.from(LIST + toHex(contract)).toString('base64url');
}

/** @throws {V1Error} one that this node did not make for this list */
function readFingerprint(text: string | undefined): Uint8Array | undefined {
  if (text === undefined) return undefined;
  const [, contract] = /^trc20:([0-9a-f]{42})$/.exec(Buffer.from(text, 'base64url').toString()) ?? [];
  if (contract === undefined) throw badParameter('fingerprint', 'does not come from a page of this list');
  return fromHex(contract);
}
