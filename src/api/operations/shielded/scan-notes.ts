import {
  DecryptNotesTRC20,
  DecryptNotesTRC20NoteTx,
  type Note,
  Note as NoteMessage,
  type TransactionInfo,
  type TransactionInfoLog,
} from '../../../codec/generated/messages.js';
import { keccak256 } from '../../../crypto/hash.js';
import { badItem } from '../../../java-compat/java-error.js';
import { concatBytes, equalBytes, toHex, toInt64, utf8 } from '../../../primitives/bytes.js';
import type { ApiContext, ChainView } from '../../context/api-context.js';
import { BURN_RECORD_BYTES, burnRecordOf, openBurn } from '../../shielded/burn-record.js';
import { encodePaymentAddress } from '../../shielded/payment-address.js';
import {
  agreedKey,
  decrypt,
  diversifiedBase,
  namedHash,
  noteCommitment,
  transmissionKeyOf,
} from '../../shielded/shielded-keys.js';
import { receiptsByNumber } from '../blocks.js';
import { checkLength, checkShieldedAllowed, isSpentInContract, zksnark } from './shielded.js';

export interface ScanRange {
  readonly startBlockIndex: bigint;
  readonly endBlockIndex: bigint;
}

const BLOCKS_MAX = 1000n;

/** Checks the block range of a scan. @throws {JavaError} BadItemException: the range is invalid */
export function checkRange({ startBlockIndex: start, endBlockIndex: end }: ScanRange): void {
  if (start >= 0n && end > start && BigInt.asIntN(64, end - start) <= BLOCKS_MAX) return;
  badItem(
    'request requires start_block_index >= 0 && end_block_index > start_block_index && end_block_index - start_block_index <= 1000',
  );
}

/**
 * Parameters of a scan of the logs of a shielded contract. In some releases, the event signatures in `events` replace
 * the standard ones.
 */
interface LogScan extends ScanRange {
  readonly shieldedTRC20ContractAddress: Uint8Array;
  readonly events: readonly string[];
}

/**
 * Returns the error text for a request with event signatures, if the release rejects them; otherwise undefined.
 * Reference: Util.rejectIfEventsPresent.
 */
export function eventsRefusal({ settings }: ApiContext, events: readonly string[]): string | undefined {
  if (!settings.release.refusesScanEvents || events.every((event) => event === '')) return undefined;
  return "'events' field is deprecated and no longer supported";
}

/**
 * Returns the notes that a viewing key can decrypt. Reference: Wallet.scanShieldedTRC20NotesByIvk.
 * @throws {JavaError} the request is invalid
 */
export function scanByViewingKey(
  api: ApiContext,
  view: ChainView,
  request: LogScan & { readonly ivk: Uint8Array; readonly ak: Uint8Array; readonly nk: Uint8Array },
): DecryptNotesTRC20 {
  const { ivk, ak, nk, shieldedTRC20ContractAddress: contract } = request;
  const { bindsBurns } = api.settings.release;
  return scanLogs(api, view, request, (log, kind, found) => {
    if (kind === 'token') return bindsBurns ? 'no note' : false;
    const parts = partsOf(log.data);
    const note = receivedNote(parts, ivk);
    if (note === undefined) return false;
    found.note = note;
    found.position = parts.position;
    if (ak.length > 0 && nk.length > 0) {
      found.isSpent = isSpentInContract(api, view, { note, ak, nk, position: parts.position, contract });
    }
    return true;
  });
}

/**
 * Returns the burns and the notes that an outgoing viewing key can decrypt. Reference:
 * Wallet.scanShieldedTRC20NotesByOvk.
 * @throws {JavaError} the request is invalid
 */
export function scanByOutgoingKey(
  api: ApiContext,
  view: ChainView,
  request: LogScan & { readonly ovk: Uint8Array },
): DecryptNotesTRC20 {
  const { ovk } = request;
  const { addressPrefix, release } = api.settings;
  return scanLogs(api, view, request, (log, kind, found, nullifier) => {
    if (kind === 'token' && release.bindsBurns) {
      return readBoundBurn(log.data, ovk, found, { nullifier, addressPrefix });
    }
    checkLength(ovk, 32);
    if (kind === 'token') return readBurn(log.data, decrypt(ovk, log.data.subarray(64, 144)), found);
    const note = sentNote(partsOf(log.data), ovk);
    if (note !== undefined) found.note = note;
    return note !== undefined;
  });
}

type LogKind = 'mint' | 'transfer' | 'leaf' | 'token';
/**
 * Decrypts a log and writes its content to `found`. Returns true on success, and false if the key cannot decrypt the
 * log. Returns `no note` if the log must not increment the note index. The argument `nullifier` belongs to the last
 * note that the transaction spent before this log. It is undefined if no note was spent since the previous burn of
 * the transaction.
 */
type ReadLog = (
  log: TransactionInfoLog,
  kind: LogKind,
  found: DecryptNotesTRC20NoteTx,
  nullifier: Uint8Array | undefined,
) => boolean | 'no note';

function scanLogs(api: ApiContext, view: ChainView, request: LogScan, read: ReadLog): DecryptNotesTRC20 {
  checkShieldedAllowed(api);
  checkRange(request);
  const usual = api.settings.release.refusesScanEvents ? { ...request, events: [] } : request;
  const noteTxs: DecryptNotesTRC20NoteTx[] = [];
  const end = request.endBlockIndex;
  for (let number = request.startBlockIndex; number < end && number <= BigInt(view.headNumber); number++) {
    for (const info of receiptsByNumber(view, number)?.infos ?? []) {
      noteTxs.push(...notesOf(info, usual, read));
    }
  }
  return Object.assign(new DecryptNotesTRC20(), { noteTxs });
}

function notesOf(info: TransactionInfo, request: LogScan, read: ReadLog): DecryptNotesTRC20NoteTx[] {
  const notes: DecryptNotesTRC20NoteTx[] = [];
  let index = 0;
  let nullifier: Uint8Array | undefined;
  for (const log of info.log) {
    const kind = kindOf(log, request);
    if (kind === undefined) {
      if (isSpending(log, request) && log.data.length >= 32) nullifier = log.data.subarray(0, 32);
      continue;
    }
    const found = Object.assign(new DecryptNotesTRC20NoteTx(), { txid: info.id, index });
    const outcome = log.data.length > 0 && read(log, kind, found, nullifier);
    if (outcome === true) notes.push(found);
    if (outcome !== 'no note') index++;
    if (kind === 'token') nullifier = undefined;
  }
  return notes;
}

const KINDS: ReadonlyMap<string, LogKind> = new Map([
  [topicOf('MintNewLeaf(uint256,bytes32,bytes32,bytes32,bytes32[21])'), 'mint'],
  [topicOf('TransferNewLeaf(uint256,bytes32,bytes32,bytes32,bytes32[21])'), 'transfer'],
  [topicOf('BurnNewLeaf(uint256,bytes32,bytes32,bytes32,bytes32[21])'), 'leaf'],
  [topicOf('TokenBurn(address,uint256,bytes32[3])'), 'token'],
]);

const SPENT = topicOf('NoteSpent(bytes32)');

/**
 * Returns true if the log contains the nullifier of a spent note. In a burn, such a log precedes the log of the burn.
 */
function isSpending(log: TransactionInfoLog, { shieldedTRC20ContractAddress }: LogScan): boolean {
  return equalBytes(log.address, shieldedTRC20ContractAddress.subarray(1)) && log.topics.map(toHex).join('') === SPENT;
}

/**
 * Returns the kind of a log of the shielded contract; undefined for other logs. Reference:
 * Wallet.getShieldedTRC20LogType.
 * @throws {JavaError} the address of the contract is malformed
 */
function kindOf(log: TransactionInfoLog, { shieldedTRC20ContractAddress, events }: LogScan): LogKind | undefined {
  if (shieldedTRC20ContractAddress.length !== 21) zksnark('invalid contract address');
  if (!equalBytes(log.address, shieldedTRC20ContractAddress.subarray(1))) return undefined;
  const topics = log.topics.map(toHex).join('');
  if (events.length === 0) return KINDS.get(topics);
  const name = events.find((event) => topicOf(event) === topics)?.toLowerCase();
  if (name === undefined) return undefined;
  if (name.includes('mint')) return 'mint';
  if (name.includes('transfer')) return 'transfer';
  if (!name.includes('burn')) return undefined;
  return name.includes('leaf') ? 'leaf' : name.includes('token') ? 'token' : undefined;
}

function topicOf(event: string): string {
  return toHex(keccak256(utf8(event)));
}

interface NoteParts {
  readonly position: bigint;
  readonly cm: Uint8Array;
  readonly cv: Uint8Array;
  readonly epk: Uint8Array;
  readonly cEnc: Uint8Array;
  readonly cOut: Uint8Array;
}

function partsOf(data: Uint8Array): NoteParts {
  return {
    position: toInt64(data.subarray(24, 32)),
    cm: data.subarray(32, 64),
    cv: data.subarray(64, 96),
    epk: data.subarray(96, 128),
    cEnc: data.subarray(128, 708),
    cOut: data.subarray(708, 788),
  };
}

function receivedNote({ cm, epk, cEnc }: NoteParts, ivk: Uint8Array): Note | undefined {
  checkLength(ivk, 32);
  const shared = agreedKey(epk, ivk);
  return shared && openNote({ shared, epk, cEnc, cm }, (base) => transmissionKeyOf(base, ivk));
}

function sentNote({ cm, cv, epk, cEnc, cOut }: NoteParts, ovk: Uint8Array): Note | undefined {
  const plain = decrypt(namedHash('Ztron_Derive_ock', ovk, cv, cm, epk), cOut);
  if (plain === undefined) return undefined;
  const key = plain.subarray(0, 32);
  const shared = agreedKey(key, plain.subarray(32, 64));
  return shared && openNote({ shared, epk, cEnc, cm }, () => key);
}

interface Sealed {
  readonly shared: Uint8Array;
  readonly epk: Uint8Array;
  readonly cEnc: Uint8Array;
  readonly cm: Uint8Array;
}

type KeyFor = (base: NonNullable<ReturnType<typeof diversifiedBase>>) => Uint8Array;

/** Decrypts a note and verifies it against its commitment; undefined if it does not match. Reference: Note.decrypt. */
function openNote({ shared, epk, cEnc, cm }: Sealed, keyFor: KeyFor): Note | undefined {
  const plain = decrypt(namedHash('Ztron_SaplingKDF', shared, epk), cEnc);
  if (plain === undefined) return undefined;
  const diversifier = plain.subarray(1, 12);
  const base = diversifiedBase(diversifier);
  if (base === undefined) return undefined;
  const transmissionKey = keyFor(base);
  const value = Buffer.from(plain).readBigInt64LE(12);
  const rcm = plain.subarray(20, 52);
  const commitment = noteCommitment({ diversifier, transmissionKey, value, rcm });
  if (commitment === undefined || !equalBytes(commitment, cm)) return undefined;
  const paymentAddress = encodePaymentAddress({ diversifier, transmissionKey });
  return Object.assign(new NoteMessage(), { value, paymentAddress, rcm, memo: withoutZeros(plain.subarray(52)) });
}

function withoutZeros(memo: Uint8Array): Uint8Array {
  let end = memo.length;
  while (end > 0 && memo[end - 1] === 0) end--;
  return memo.subarray(0, end);
}

/**
 * Reads a burn, which withdraws tokens from the shielded contract to a transparent address. Returns false if the burn
 * record does not contain the amount and receiver of the log.
 * @param data data of the log
 * @param plain decrypted burn record; undefined if the key could not decrypt the record
 */
function readBurn(data: Uint8Array, plain: Uint8Array | undefined, found: DecryptNotesTRC20NoteTx): boolean {
  if (plain === undefined) return false;
  const isSame = equalBytes(plain.subarray(0, 32), data.subarray(32, 64));
  if (!isSame || !equalBytes(plain.subarray(33, 53), data.subarray(12, 32))) return false;
  found.toAmount = BigInt(`0x0${toHex(data.subarray(32, 64))}`).toString();
  found.transparentToAddress = plain.subarray(32, 53);
  return true;
}

/**
 * Decrypts a burn record in the older or the newer format (see `isBound`), and reads the burn. Returns false if the key
 * cannot decrypt the record. Reference: Wallet.getNoteTxFromLogListByOvk.
 * @throws {JavaError} the outgoing viewing key is malformed
 */
function readBoundBurn(
  data: Uint8Array,
  ovk: Uint8Array,
  found: DecryptNotesTRC20NoteTx,
  { nullifier, addressPrefix }: { readonly nullifier: Uint8Array | undefined; readonly addressPrefix: number },
): boolean {
  if (data.length < 64 + BURN_RECORD_BYTES) return false;
  if (ovk.length !== 32) zksnark('invalid ovk length');
  const receiver = concatBytes(Uint8Array.of(addressPrefix), data.subarray(12, 32));
  const plain = openBurn(ovk, burnRecordOf(data.subarray(64)), { nullifier, amount: data.subarray(32, 64), receiver });
  return plain?.[32] === addressPrefix && readBurn(data, plain, found);
}
