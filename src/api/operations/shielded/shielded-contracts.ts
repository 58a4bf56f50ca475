import {
  BytesMessage,
  type Note,
  ShieldedTRC20Parameters as ParametersMessage,
  PrivateShieldedTRC20Parameters,
  type PrivateShieldedTRC20ParametersWithoutAsk,
  type ReceiveDescription,
  type ShieldedTRC20Parameters,
  type ShieldedTRC20TriggerContractParameters,
} from '../../../codec/generated/messages.js';
import { bytesOfHex } from '../../../java-compat/hex.js';
import { illegalArgument, JavaError } from '../../../java-compat/java-error.js';
import { parseBigInteger } from '../../../java-compat/number.js';
import { javaTrim } from '../../../java-compat/text.js';
import { concatBytes, equalBytes, fromHex, toHex } from '../../../primitives/bytes.js';
import { refuse } from '../../../state-transition/errors.js';
import { javaError } from '../../../state-transition/java-errors.js';
import type { ApiContext, ChainView } from '../../context/api-context.js';
import {
  BURN_CIPHER_BYTES,
  BURN_RECORD_BYTES,
  type Burn,
  burnNonce,
  burnRecordOf,
  isBound,
} from '../../shielded/burn-record.js';
import { decodePaymentAddress } from '../../shielded/payment-address.js';
import { callView, checkShieldedAllowed, contractFailed, zksnark } from './shielded.js';

type Request = PrivateShieldedTRC20Parameters | PrivateShieldedTRC20ParametersWithoutAsk;

/**
 * Validates a request for the parameters of a shielded transfer. Then always rejects it, because this node has no
 * proving keys. Reference: Wallet.createShieldedContractParameters.
 * @throws {JavaError | ChainError} the request is invalid, or needs a proof
 */
export function shieldedParameters(
  api: ApiContext,
  view: ChainView,
  request: Request,
  amountText: string,
): ShieldedTRC20Parameters {
  checkShieldedAllowed(api);
  const contract = request.shieldedTRC20ContractAddress;
  if (contract.length !== 21) refuse('No valid shielded TRC-20 contract address');
  const [from, to] = readAmounts(request, amountText);
  const scaled = scaledAmounts(api, view, contract, from, to);
  checkNoteValues(api, request);
  const kind = kindOf(request, scaled);
  if (kind === undefined) refuse('invalid shielded TRC-20 parameters');
  checkNotes(request, kind);
  return zksnark('this node has no proving keys');
}

/**
 * Checks the values of the notes of a request. Reference: Wallet.checkShieldedTRC20NoteValue.
 * @throws {ChainError} a note is invalid
 */
function checkNoteValues({ settings }: ApiContext, { shieldedSpends, shieldedReceives }: Request): void {
  const check = (note: Note | null | undefined, valuedAs: string, namedAs: string): void => {
    if ((note?.value ?? 0n) < 0n) refuse(`The value in ${valuedAs} must >= 0`);
    if (settings.release.checksNotes && (note?.paymentAddress ?? '') === '') {
      refuse(`PaymentAddress in ${namedAs} should not be empty`);
    }
  };
  for (const { note } of shieldedSpends) check(note, 'SpendNoteTRC20', 'SpendNote');
  for (const { note } of shieldedReceives) check(note, 'ReceiveNote', 'ReceiveNote');
}

type Kind = 'mint' | 'transfer' | 'burn';

/**
 * Returns the kind of a request: mint, transfer between notes, or burn. Returns undefined for any other combination of
 * notes and amounts.
 * @throws {JavaError} the amounts of a burn overflow
 */
function kindOf(
  { shieldedSpends, shieldedReceives }: Request,
  [from, to]: readonly [bigint, bigint],
): Kind | undefined {
  const spends = shieldedSpends.length;
  const receives = shieldedReceives.length;
  const received = shieldedReceives[0]?.note?.value ?? 0n;
  const burnt = to + received;
  if (to > 0n && BigInt.asIntN(64, burnt) !== burnt) zksnark('Unbalanced burn!');
  if (from > 0n && spends === 0 && receives === 1 && from === received && to === 0n) return 'mint';
  if (from === 0n && spends > 0 && spends < 3 && receives > 0 && receives < 3 && to === 0n) return 'transfer';
  const isBurn = from === 0n && spends === 1 && receives <= 1 && to > 0n;
  return isBurn && burnt === (shieldedSpends[0]?.note?.value ?? 0n) ? 'burn' : undefined;
}

/**
 * Checks the notes and keys of a request, as java-tron does before it creates a proof.
 * @throws {JavaError | ChainError} a note or key is invalid
 */
function checkNotes(request: Request, kind: Kind): void {
  const hasSpendKey = request instanceof PrivateShieldedTRC20Parameters;
  const key = hasSpendKey ? request.ask : request.ak;
  const isWithoutKey = [key, request.nsk, request.ovk].some(({ length }) => length === 0);
  if (kind !== 'mint' && isWithoutKey) refuse(`No shielded TRC-20 ${hasSpendKey ? 'ask' : 'ak'}, nsk or ovk`);
  if (kind === 'burn' && request.transparentToAddress.length !== 21) {
    refuse(`No ${hasSpendKey ? 'valid ' : ''}transparent TRC-20 output address`);
  }
  for (const { note } of [...request.shieldedSpends, ...request.shieldedReceives]) {
    if (decodePaymentAddress(note?.paymentAddress ?? '') === undefined) zksnark('paymentAddress format is wrong');
  }
}

function readAmounts({ fromAmount, toAmount }: Request, text: string): [bigint, bigint] {
  try {
    return [readAmount(fromAmount), readAmount(toAmount)];
  } catch (error) {
    if (javaError(error) === undefined) throw error;
    return refuse(text);
  }
}

/**
 * Reads the public amounts and divides them by the scaling factor of the contract. Reference: Wallet.checkPublicAmount.
 * @throws {JavaError | ChainError} an amount or the scaling factor is invalid, or the call of the contract fails
 */
function scaledAmounts(
  api: ApiContext,
  view: ChainView,
  contract: Uint8Array,
  from: bigint,
  to: bigint,
): readonly [bigint, bigint] {
  checkAmount(from);
  checkAmount(to);
  const answer = callView(api, view, contract, 'scalingFactor()');
  if (answer === undefined) contractFailed('Get shielded contract scalingFactor failed');
  const factor = BigInt(`0x0${toHex(answer)}`);
  if (factor === 0n && api.settings.release.checksNotes) refuse('scalingFactor must be positive');
  if (factor === 0n) throw new JavaError('java.lang.ArithmeticException', 'BigInteger: modulus not positive');
  const isWhole = from % factor === 0n && to % factor === 0n;
  const scaled = [from / factor, to / factor] as const;
  if (!isWhole || scaled.some((value) => BigInt.asIntN(64, value) !== value)) refuse('fromAmount or toAmount invalid');
  return scaled;
}

/** Parses an amount. @throws {JavaError} NumberFormatException */
function readAmount(text: string): bigint {
  const trimmed = javaTrim(text);
  return trimmed === '' ? 0n : parseBigInteger(trimmed, 10);
}

function checkAmount(value: bigint): void {
  if (value < 0n) refuse('public amount must be non-negative');
  if (value >> 256n !== 0n) refuse('public amount must be no more than 256 bits');
}

/**
 * Encodes the input of a contract call from parameters. A program other than this node has created the proof in the
 * parameters. Reference: Wallet.getTriggerInputForShieldedTRC20Contract.
 * @throws {JavaError | ChainError} the request is invalid
 */
export function shieldedTriggerInput(api: ApiContext, request: ShieldedTRC20TriggerContractParameters): BytesMessage {
  checkShieldedAllowed(api);
  const parameters = request.shieldedTRC20Parameters ?? new ParametersMessage();
  const signatures = request.spendAuthoritySignature.map(({ value }) => value);
  const value = readAmount(request.amount);
  checkAmount(value);
  const payTo = request.transparentToAddress;
  if (payTo.length !== 0 && payTo.length !== 21) zksnark('invalid transparent to address');
  if (parameters.spendDescription.length !== signatures.length) {
    zksnark('the number of spendDescription and spendAuthoritySignature is not equal');
  }
  const make = inputs[parameters.parameterType];
  if (make === undefined) zksnark('invalid shielded TRC-20 parameters type');
  const input = make({ api, parameters, signatures, value, payTo });
  return Object.assign(new BytesMessage(), { value: input });
}

interface TriggerInput {
  readonly api: ApiContext;
  readonly parameters: ShieldedTRC20Parameters;
  readonly signatures: readonly Uint8Array[];
  readonly value: bigint;
  readonly payTo: Uint8Array;
}

const inputs: Readonly<Record<string, ((input: TriggerInput) => Uint8Array) | undefined>> = {
  mint: mintInput,
  transfer: transferInput,
  burn: burnInput,
};

function mintInput({ parameters, value }: TriggerInput): Uint8Array {
  if (value <= 0n) throw illegalArgument('require the value be positive');
  const receive = first(parameters.receiveDescription);
  const { noteCommitment, valueCommitment, epk, zkproof, cEnc, cOut } = receive;
  const { bindingSignature } = parameters;
  return concatBytes(
    word(value),
    noteCommitment,
    valueCommitment,
    epk,
    zkproof,
    bindingSignature,
    cEnc,
    cOut,
    new Uint8Array(12),
  );
}

function transferInput({ parameters, signatures }: TriggerInput): Uint8Array {
  const { spendDescription: spends, receiveDescription: receives, bindingSignature } = parameters;
  if (spends.length < 1 || spends.length > 2) throw illegalArgument('invalid transfer input number');
  const spent = spends.map(({ nullifier, anchor, valueCommitment, rk, zkproof }) =>
    concatBytes(nullifier, anchor, valueCommitment, rk, zkproof),
  );
  const signed = 192 + 32 + 320 * spends.length;
  const output = signed + 32 + 64 * spends.length;
  const ciphers = output + 32 + 288 * receives.length;
  return concatBytes(
    word(192n),
    word(BigInt(signed)),
    word(BigInt(output)),
    bindingSignature,
    word(BigInt(ciphers)),
    word(BigInt(spends.length)),
    ...spent,
    word(BigInt(spends.length)),
    ...signatures,
    word(BigInt(receives.length)),
    ...receives.map(proofOf),
    word(BigInt(receives.length)),
    ...receives.map(cipherOf),
  );
}

function burnInput({ api, parameters, signatures, value, payTo }: TriggerInput): Uint8Array {
  const sealed = bytesOfHex(parameters.triggerContractInput);
  const record = api.settings.release.bindsBurns
    ? boundRecord(sealed, parameters, { amount: word(value), receiver: receiverOf(api, payTo) })
    : unboundRecord(sealed);
  if (value <= 0n) throw illegalArgument('the value must be positive');
  const receiver = concatBytes(new Uint8Array(11), receiverOf(api, payTo));
  const { nullifier, anchor, valueCommitment, rk, zkproof } = first(parameters.spendDescription);
  const head = concatBytes(
    nullifier,
    anchor,
    valueCommitment,
    rk,
    zkproof,
    first(signatures),
    word(value),
    parameters.bindingSignature,
    receiver,
    record,
  );
  const [receive] = parameters.receiveDescription;
  const offset = word(BigInt(head.length + 64));
  if (receive === undefined) return concatBytes(head, offset, word(BigInt(head.length + 96)), word(0n), word(0n));
  const ciphers = word(BigInt(head.length + 96 + 288));
  return concatBytes(head, offset, ciphers, word(1n), proofOf(receive), word(1n), cipherOf(receive));
}

/** Returns the address of the receiver, 21 bytes. Without a receiver, returns the address prefix and 20 zero bytes. */
function receiverOf({ settings }: ApiContext, payTo: Uint8Array): Uint8Array {
  const receiver = new Uint8Array(21);
  receiver.set(payTo.subarray(1), 1);
  receiver[0] = settings.addressPrefix;
  return receiver;
}

const NO_RECORD = 'invalid shielded TRC-20 contract parameters for burn trigger input';

/**
 * Returns the encrypted record of a burn in the older format, in which the nonce and the four format bytes are zero.
 * @throws {JavaError} the record has the wrong length
 */
function unboundRecord(sealed: Uint8Array): Uint8Array {
  if (sealed.length !== BURN_CIPHER_BYTES) zksnark(NO_RECORD);
  return concatBytes(sealed, new Uint8Array(BURN_RECORD_BYTES - BURN_CIPHER_BYTES));
}

/**
 * Checks the encrypted record of a burn in the newer format, in which the nonce is derived from the burn. Returns the
 * record unchanged.
 * @throws {JavaError} the record is malformed or in the older format, or its nonce is not derived from this burn
 */
function boundRecord(
  sealed: Uint8Array,
  { spendDescription: spends }: ShieldedTRC20Parameters,
  burn: Omit<Burn, 'nullifier'>,
): Uint8Array {
  if (sealed.length === BURN_CIPHER_BYTES) {
    const expected = `expected ${BURN_RECORD_BYTES}-byte burn record`;
    zksnark(`legacy ${BURN_CIPHER_BYTES}-byte burn cipher is deprecated and rejected; ${expected}`);
  }
  if (sealed.length !== BURN_RECORD_BYTES) zksnark(NO_RECORD);
  const record = burnRecordOf(sealed);
  if (!isBound(record)) {
    zksnark('burn trigger input must be v2 (reserved=0x00000001); legacy/unknown markers rejected');
  }
  const [spend] = spends;
  if (spend === undefined || spends.length > 1) {
    zksnark('burn trigger input requires exactly one spendDescription for nf-bound nonce');
  }
  const { nullifier } = spend;
  if (nullifier.length !== 32) zksnark('burn trigger input requires 32-byte spendDescription.nullifier');
  if (!equalBytes(record.nonce, burnNonce({ ...burn, nullifier }))) {
    zksnark('burn trigger input nonce does not match nonce bound to (nf, amount, addr)');
  }
  return sealed;
}

function proofOf({ noteCommitment, valueCommitment, epk, zkproof }: ReceiveDescription): Uint8Array {
  return concatBytes(noteCommitment, valueCommitment, epk, zkproof);
}

function cipherOf({ cEnc, cOut }: ReceiveDescription): Uint8Array {
  return concatBytes(cEnc, cOut, new Uint8Array(12));
}

function word(value: bigint): Uint8Array {
  return fromHex(value.toString(16).padStart(64, '0'));
}

/** Returns the first item. @throws {JavaError} IndexOutOfBoundsException for an empty list */
function first<T>(items: readonly T[]): T {
  const [item] = items;
  if (item === undefined) throw new JavaError('java.lang.IndexOutOfBoundsException', 'Index: 0');
  return item;
}
