import {
  BytesMessage,
  DiversifierMessage,
  ExpandedSpendingKeyMessage,
  IncomingViewingKeyMessage,
  type NfTRC20Parameters,
  type Note,
  NullifierResult,
  PaymentAddressMessage,
  ShieldedAddressInfo,
  TriggerSmartContract,
} from '../../../codec/generated/messages.js';
import { keccak256 } from '../../../crypto/hash.js';
import { badItem, JavaError } from '../../../java-compat/java-error.js';
import { itemAt } from '../../../primitives/assert.js';
import { concatBytes, equalBytes, utf8 } from '../../../primitives/bytes.js';
import { javaError } from '../../../state-transition/java-errors.js';
import type { ApiContext, ChainView } from '../../context/api-context.js';
import { decodePaymentAddress, encodePaymentAddress } from '../../shielded/payment-address.js';
import {
  DIVERSIFIER_BYTES,
  diversifiedBase,
  expandKey,
  noteNullifier,
  proofKeyOf,
  randomDiversifier,
  randomScalar,
  randomSpendingKey,
  SCALAR_BYTES,
  signSpend,
  spendKeyOf,
  transmissionKeyOf,
  viewingKeyOf,
} from '../../shielded/shielded-keys.js';
import { callConstantContract, newCallReply } from '../call-contract.js';

/**
 * Checks that the shielded APIs are enabled (`ApiSettings.allowsShieldedApi`).
 * @throws {JavaError} the shielded APIs are disabled
 */
export function checkShieldedAllowed({ settings }: ApiContext): void {
  if (!settings.allowsShieldedApi) zksnark(settings.release.shieldedRefusal);
}

/** Throws the error of java-tron's library for zero-knowledge proofs. @throws {JavaError} ZksnarkException, always */
export function zksnark(text: string): never {
  throw new JavaError('org.tron.core.exception.ZksnarkException', text);
}

/**
 * Checks the length of a parameter. Reference: LibrustzcashParam.validParamLength.
 * @param length length in bytes
 * @throws {JavaError} the parameter is empty, or its length is wrong
 */
export function checkLength(bytes: Uint8Array, length: number): void {
  if (bytes.length === 0) zksnark('param is null');
  if (bytes.length !== length) zksnark(`param length must be ${length}`);
}

function bytesMessage(value: Uint8Array): BytesMessage {
  return Object.assign(new BytesMessage(), { value });
}

/** Returns a random spending key. Reference: Wallet.getSpendingKey. */
export function newSpendingKey(api: ApiContext): BytesMessage {
  checkShieldedAllowed(api);
  return bytesMessage(randomSpendingKey());
}

/** Returns random blinding data for a note commitment (rcm). Reference: Wallet.getRcm. */
export function newRcm(api: ApiContext): BytesMessage {
  checkShieldedAllowed(api);
  return bytesMessage(randomScalar());
}

/** Returns a random diversifier for a payment address. Reference: Wallet.getDiversifier. */
export function newDiversifier(api: ApiContext): DiversifierMessage {
  checkShieldedAllowed(api);
  return Object.assign(new DiversifierMessage(), { d: randomDiversifier() });
}

/**
 * Returns the keys that are derived from a spending key. Reference: Wallet.getExpandedSpendingKey.
 * @throws {JavaError} the shielded APIs are disabled, or the key does not have 32 bytes
 */
export function expandedSpendingKey(api: ApiContext, key: Uint8Array): ExpandedSpendingKeyMessage {
  checkShieldedAllowed(api);
  if (key.length !== SCALAR_BYTES) badItem("the length of spendingKey's hexString should be 64");
  return Object.assign(new ExpandedSpendingKeyMessage(), expandKey(key));
}

/**
 * Returns the public key `ak` of a spend authorizing key `ask`. Reference: Wallet.getAkFromAsk.
 * @throws {JavaError} the shielded APIs are disabled, or the key does not have 32 bytes
 */
export function akFromAsk(api: ApiContext, ask: Uint8Array): BytesMessage {
  checkShieldedAllowed(api);
  if (ask.length !== SCALAR_BYTES) badItem("the length of ask's hexString should be 64");
  return bytesMessage(spendKeyOf(ask));
}

/**
 * Returns the public key `nk` of a proof authorizing key `nsk`. Reference: Wallet.getNkFromNsk.
 * @throws {JavaError} the shielded APIs are disabled, or the key does not have 32 bytes
 */
export function nkFromNsk(api: ApiContext, nsk: Uint8Array): BytesMessage {
  checkShieldedAllowed(api);
  if (nsk.length !== SCALAR_BYTES) badItem("the length of nsk's hexString should be 64");
  return bytesMessage(proofKeyOf(nsk));
}

/**
 * Returns the incoming viewing key of two public keys. Reference: Wallet.getIncomingViewingKey.
 * @throws {JavaError} the shielded APIs are disabled, or a key does not have 32 bytes
 */
export function incomingViewingKey(api: ApiContext, ak: Uint8Array, nk: Uint8Array): IncomingViewingKeyMessage {
  checkShieldedAllowed(api);
  checkLength(ak, SCALAR_BYTES);
  checkLength(nk, SCALAR_BYTES);
  return Object.assign(new IncomingViewingKeyMessage(), { ivk: viewingKeyOf(ak, nk) });
}

/**
 * Returns the payment address of an incoming viewing key and a diversifier. Reference: Wallet.getPaymentAddress.
 * @throws {JavaError} the shielded APIs are disabled, or an argument is invalid
 */
export function paymentAddress(api: ApiContext, ivk: Uint8Array, d: Uint8Array): PaymentAddressMessage {
  checkShieldedAllowed(api);
  checkLength(d, DIVERSIFIER_BYTES);
  const base = diversifiedBase(d);
  if (base === undefined) badItem('d is not valid');
  checkLength(ivk, SCALAR_BYTES);
  if ((itemAt(ivk, 31) << 24) >> 27 !== 0) zksnark('Most significant five bits of ivk should be 0.');
  const pkD = transmissionKeyOf(base, ivk);
  return Object.assign(new PaymentAddressMessage(), {
    d: Object.assign(new DiversifierMessage(), { d }),
    pkD,
    paymentAddress: encodePaymentAddress({ diversifier: d, transmissionKey: pkD }),
  });
}

/** Returns a new payment address with all its keys. Reference: Wallet.getNewShieldedAddress. */
export function newShieldedAddress(api: ApiContext): ShieldedAddressInfo {
  checkShieldedAllowed(api);
  const sk = randomSpendingKey();
  const keys = expandKey(sk);
  const ak = spendKeyOf(keys.ask);
  const nk = proofKeyOf(keys.nsk);
  const ivk = viewingKeyOf(ak, nk);
  const d = randomDiversifier();
  const { pkD, paymentAddress: text } = paymentAddress(api, ivk, d);
  return Object.assign(new ShieldedAddressInfo(), { sk, ...keys, ak, nk, ivk, d, pkD, paymentAddress: text });
}

/**
 * Signs the spending of a note. Reference: Wallet.createSpendAuthSig.
 * @throws {JavaError} the shielded APIs are disabled, or an argument does not have 32 bytes
 */
export function spendAuthSig(api: ApiContext, ask: Uint8Array, alpha: Uint8Array, hash: Uint8Array): BytesMessage {
  checkShieldedAllowed(api);
  for (const part of [ask, alpha, hash]) checkLength(part, SCALAR_BYTES);
  return bytesMessage(signSpend(ask, alpha, hash));
}

/**
 * Returns true if a shielded contract has recorded a note as spent.
 * Reference: Wallet.isShieldedTRC20ContractNoteSpent.
 * @throws {JavaError} the shielded APIs are disabled, an argument is invalid, or the call of the contract fails
 */
export function isNoteSpent(api: ApiContext, view: ChainView, request: NfTRC20Parameters): NullifierResult {
  checkShieldedAllowed(api);
  const { note, ak, nk, position, shieldedTRC20ContractAddress } = request;
  const isSpent = isSpentInContract(api, view, { note, ak, nk, position, contract: shieldedTRC20ContractAddress });
  return Object.assign(new NullifierResult(), { isSpent });
}

interface NullifierQuery {
  readonly note: Note | undefined;
  readonly ak: Uint8Array;
  readonly nk: Uint8Array;
  readonly position: bigint;
  readonly contract: Uint8Array;
}

/**
 * Calls a shielded contract to check whether it has recorded a note as spent.
 * @throws {JavaError} an argument is invalid, or the call fails
 */
export function isSpentInContract(api: ApiContext, view: ChainView, question: NullifierQuery): boolean {
  const nullifier = nullifierOf(question);
  const answer = callView(api, view, question.contract, 'nullifiers(bytes32)', nullifier);
  if (answer === undefined) contractFailed('trigger contract to get nullifier error.');
  return equalBytes(answer, nullifier);
}

/**
 * Returns the nullifier of a note. Reference: Wallet.getShieldedTRC20Nullifier.
 * @throws {JavaError} ZksnarkException: a parameter is invalid
 */
function nullifierOf({ note, ak, nk, position }: NullifierQuery): Uint8Array {
  const address = decodePaymentAddress(note?.paymentAddress ?? '');
  if (address === undefined) zksnark('paymentAddress format is wrong');
  const value = note?.value ?? 0n;
  const rcm = note?.rcm ?? new Uint8Array(0);
  if (value < 0n) zksnark('Value should be non-negative.');
  if (position < 0n) zksnark('Position should be non-negative.');
  for (const part of [rcm, ak, nk]) checkLength(part, SCALAR_BYTES);
  // If the computation fails, java-tron ignores the failure and uses 32 zero bytes.
  // Reference: JLibrustzcash.librustzcashComputeNf
  return noteNullifier({ ...address, value, rcm }, { ak, nk }, position) ?? new Uint8Array(SCALAR_BYTES);
}

/**
 * Calls a contract function without changing the state. Returns its output; undefined if the call cannot start or
 * fails.
 */
export function callView(
  api: ApiContext,
  view: ChainView,
  contract: Uint8Array,
  method: string,
  ...parameters: readonly Uint8Array[]
): Uint8Array | undefined {
  const data = concatBytes(keccak256(utf8(method)).subarray(0, 4), ...parameters);
  const message = Object.assign(new TriggerSmartContract(), { contractAddress: contract, data });
  const reply = newCallReply();
  try {
    callConstantContract(api, view, message, reply);
  } catch (error) {
    if (javaError(error) === undefined) throw error;
    return undefined;
  }
  return concatBytes(...reply.extention.constantResult);
}

/** Throws the error of a failed contract call. @throws {JavaError} ContractExeException, always */
export function contractFailed(text: string): never {
  throw new JavaError('org.tron.core.exception.ContractExeException', text);
}
