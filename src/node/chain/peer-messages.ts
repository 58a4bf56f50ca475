import type { MessageType } from '../../codec/descriptor.js';
import { discardUnknown } from '../../codec/discard-unknown.js';
import { Block, Transaction, Transactions } from '../../codec/generated/messages.js';
import { ProtobufError } from '../../codec/reader.js';
import { fromHex, fromInt64, toHex } from '../../domain/bytes.js';
import { BLOCK_BYTES_MAX } from '../../p2p/wire/large-block.js';
import { type DecodedBlock, hasRightMerkleRoot, merkleRoot, toDecodedBlock } from '../../vm/block/decoded-block.js';
import { activeWitnesses } from '../../vm/consensus/schedule.js';
import { contractRows } from '../../vm/contracts/table.js';
import { ChainError, unchecked } from '../../vm/errors.js';
import type { State } from '../../vm/state/state.js';
import type { DecodedTransaction } from '../../vm/transaction.js';
import { decodeTransaction, typeName } from '../../vm/transactions/decode-transaction.js';
import type { Chain, PushOptions } from './chain.js';
import { isSignedByWitness } from './witness-signature.js';

/** Reason of a message that is refused before, or instead of, being processed. Reference: P2pException.TypeEnum. */
export class PeerMessageError extends ChainError {
  readonly type: string;

  constructor(type: string, text: string | null, cause?: unknown) {
    super('P2pException', text, cause === undefined ? {} : { cause });
    this.type = type;
  }
}

/** ms that a block's time may lie ahead: for the first look, and for the one before it is processed. */
const AHEAD_MAX_MS = 3000;
const AHEAD_SLACK_MS = 1000;

/** What became of an announced block that was not refused. */
type Announced =
  | { readonly result: 'ok'; readonly broadcastFirst: boolean }
  | { readonly result: 'dropped'; readonly stage: 'unlinked' | 'low' | 'inactive' };

/** Step at which a message failed, for the caller's answer. */
export type Stage = 'parse' | 'check' | 'parent' | 'valid' | 'push';

/**
 * Reads a block as a peer sends it. With the filter (proposal 24) unknown fields are dropped, and whatever gets shorter by
 * that is refused. Reference: BlockMessage.
 * @throws {ChainError} BadItemException, P2pException
 */
export function readBlockMessage(bytes: Uint8Array, isFiltered: boolean): DecodedBlock {
  const message = readMessage(Block, bytes, isFiltered, 'Block proto data parse exception');
  if (isFiltered) {
    if (Block.encode(message).length !== bytes.length) inconsistent();
    for (const transaction of message.transactions) {
      try {
        checkContract(transaction);
      } catch (error) {
        if (error instanceof ChainError || error instanceof ProtobufError) inconsistent();
        throw error;
      }
    }
  }
  return toDecodedBlock(message, bytes);
}

/** Reads a transaction as a peer sends it. Reference: TransactionMessage. @throws {ChainError} */
export function readTransactionMessage(bytes: Uint8Array, isFiltered: boolean): DecodedTransaction {
  const message = readMessage(Transaction, bytes, isFiltered, 'Transaction proto data parse exception');
  if (isFiltered) {
    if (Transaction.encode(message).length !== bytes.length) inconsistent();
    checkContract(message);
  }
  return decodeTransaction(message);
}

/** Reads the transactions of one message, as {@link readTransactionMessage} does each. Reference: TransactionsMessage. @throws {ChainError} */
export function readTransactionsMessage(bytes: Uint8Array, isFiltered: boolean): readonly DecodedTransaction[] {
  const message = readMessage(Transactions, bytes, isFiltered, 'Transactions proto data parse exception');
  if (isFiltered) {
    if (Transactions.encode(message).length !== bytes.length) inconsistent();
    message.transactions.forEach(checkContract);
  }
  return message.transactions.map(decodeTransaction);
}

/** Size and time of a block that was asked for. Reference: BlockMsgHandler.check. @throws {PeerMessageError} BAD_MESSAGE */
export function checkBlockMessage(block: DecodedBlock, nowMs: number): void {
  if (Block.encode(block.message).length > BLOCK_BYTES_MAX)
    throw new PeerMessageError('BAD_MESSAGE', 'block size over limit');
  if (block.timeMs - nowMs >= AHEAD_MAX_MS) throw new PeerMessageError('BAD_MESSAGE', 'block time error');
}

/**
 * A peer's block as it is stored and passed on: without what the schema does not know of the block and of its header, where the
 * release drops that. Raw header and transactions stay, and with them id and root. Reference: BlockCapsule.sanitize.
 */
export function keptOf({ state }: Chain, block: DecodedBlock): DecodedBlock {
  const { message } = block;
  const hasUnknown = message.$unknown !== undefined || message.blockHeader?.$unknown !== undefined;
  if (!hasUnknown || !state.rules.release.rules.stripsUnknown) return block;
  const kept = message.clone();
  kept.$unknown = undefined;
  if (kept.blockHeader !== undefined) kept.blockHeader.$unknown = undefined;
  return toDecodedBlock(kept);
}

/** A block of a chain that was asked for, which follows what is known. Reference: SyncService.processSyncBlock. @throws {ChainError} */
export function receiveSynced(chain: Chain, block: DecodedBlock, options: PushOptions): void {
  checkWitnessSignature(chain.state, block);
  pushAnnounced(chain, block, options);
}

/**
 * The steps for a block that a peer announced and this node asked for; `at` hears of each step before it begins.
 * Reference: BlockMsgHandler. @throws {ChainError}
 */
export function receiveAnnounced(
  chain: Chain,
  received: DecodedBlock,
  nowMs: number,
  at: (stage: Stage) => void,
  options: PushOptions = {},
): Announced {
  at('check');
  checkBlockMessage(received, nowMs);
  const block = keptOf(chain, received);
  const { validatesAnnouncedFirst } = chain.state.rules.release.rules;
  if (validatesAnnouncedFirst) {
    at('valid');
    checkTime(block, nowMs);
    checkMerkleRoot(chain.state, block);
    checkWitnessSignature(chain.state, block);
    if (!isBroadcastFirst(chain, block)) return { result: 'dropped', stage: 'inactive' };
  }
  at('parent');
  if (block.raw.parentHash.length !== 32) throw unchecked('IllegalArgumentException');
  if (!isKnown(chain, parentId(block))) return { result: 'dropped', stage: 'unlinked' };
  if (block.number < chain.ledger.position.headNumber) return { result: 'dropped', stage: 'low' };
  if (!validatesAnnouncedFirst) {
    at('valid');
    checkTime(block, nowMs);
    checkWitnessSignature(chain.state, block);
  }
  const broadcastFirst = isBroadcastFirst(chain, block);
  at('push');
  pushAnnounced(chain, block, options);
  return { result: 'ok', broadcastFirst };
}

/** Whether a block that will be processed is passed on before that. */
export function isBroadcastFirst(chain: Chain, block: DecodedBlock): boolean {
  return activeWitnesses(chain.state).includes(block.witness);
}

/** Offers a peer's transaction to the pool. Reference: TronNetDelegate.pushTransaction. @throws {ChainError} */
export function receiveTransaction(chain: Chain, transaction: DecodedTransaction): void {
  if (transaction.raw.contract.length === 0) throw unchecked('IndexOutOfBoundsException', 'Index: 0');
  try {
    chain.pool.offer(transaction);
  } catch (error) {
    if (!(error instanceof ChainError) || !error.checked) throw error;
    const type = BAD_TRANSACTIONS.has(error.exception) ? 'BAD_TRX' : 'TRX_EXE_FAILED';
    throw new PeerMessageError(type, javaText(error), error);
  }
}

const BAD_TRANSACTIONS = new Set(['ContractSizeNotEqualToOneException', 'VMIllegalException']);

/** An exception as Java prints it: class name, and text where there is one. */
function javaText({ exception, text }: ChainError): string {
  const name = `${packageOf(exception)}.${exception}`;
  return text === null ? name : `${name}: ${text}`;
}

function packageOf(exception: string): string {
  if (JAVA_LANG.has(exception)) return 'java.lang';
  return PROTOBUF.has(exception) ? 'com.google.protobuf' : 'org.tron.core.exception';
}

const JAVA_LANG = new Set([
  'NullPointerException',
  'IndexOutOfBoundsException',
  'ArrayIndexOutOfBoundsException',
  'IllegalArgumentException',
  'ArithmeticException',
  'RuntimeException',
]);
const PROTOBUF = new Set(['InvalidProtocolBufferException']);

function pushAnnounced(chain: Chain, block: DecodedBlock, options: PushOptions): void {
  try {
    chain.push(block, options);
  } catch (error) {
    if (!(error instanceof ChainError) || !error.checked) throw error;
    const isRoot = error.exception === 'BadBlockException' && !hasRightMerkleRoot(block);
    throw new PeerMessageError(isRoot ? 'BLOCK_MERKLE_ERROR' : 'BAD_BLOCK', javaText(error), error);
  }
}

/** Reference: TronNetDelegate.validBlock. @throws {PeerMessageError} BAD_BLOCK */
function checkTime({ timeMs }: DecodedBlock, nowMs: number): void {
  if (timeMs - nowMs > AHEAD_SLACK_MS) {
    throw new PeerMessageError('BAD_BLOCK', `time:${nowMs},block time:${timeMs}`);
  }
}

/** Reference: BlockCapsule.validateMerkleRoot. @throws {ChainError} BLOCK_MERKLE_ERROR; unchecked for a root of another length */
function checkMerkleRoot({ rules }: State, block: DecodedBlock): void {
  const { txTrieRoot } = block.raw;
  if (txTrieRoot.length !== 32) throw unchecked('IllegalArgumentException');
  if (hasRightMerkleRoot(block)) return;
  const { merkleRoot: textOf } = rules.release.texts;
  const text = textOf(block.number, txTrieRoot, merkleRoot(block.message.transactions));
  throw new PeerMessageError('BLOCK_MERKLE_ERROR', text);
}

/** Reference: BlockCapsule.validateSignature. @throws {PeerMessageError} BLOCK_SIGN_ERROR */
function checkWitnessSignature(state: State, block: DecodedBlock): void {
  let isRight: boolean;
  try {
    isRight = isSignedByWitness(state, block);
  } catch (error) {
    if (error instanceof ChainError) throw new PeerMessageError('BLOCK_SIGN_ERROR', javaText(error), error);
    throw error;
  }
  if (!isRight) throw new PeerMessageError('BLOCK_SIGN_ERROR', 'valid signature failed.');
}

/** The parent's id: its hash with the number before this block's written over the first 8 bytes. */
function parentId({ raw, number }: DecodedBlock): string {
  return toHex(fromInt64(BigInt(number) - 1n)) + toHex(raw.parentHash.subarray(8));
}

/** Whether a block waits among the recent ones, or is canonical. */
export function isKnown({ recent, ledger }: Chain, idHex: string): boolean {
  return recent.get(idHex) !== undefined || ledger.numberOf(fromHex(idHex)) !== undefined;
}

function readMessage<T extends { $unknown: Uint8Array | undefined }>(
  type: MessageType<T>,
  bytes: Uint8Array,
  isFiltered: boolean,
  text: string,
): T {
  try {
    const message = type.decode(bytes);
    if (isFiltered) discardUnknown(message, type as MessageType<object>);
    return message;
  } catch (error) {
    throw new ChainError('BadItemException', text, { cause: error });
  }
}

/** With the filter a contract's parameter must be of the type it says, and hold nothing unknown. Reference: validContractProto. */
function checkContract({ rawData }: Transaction): void {
  const contract = rawData?.contract[0];
  if (contract === undefined) throw unchecked('IndexOutOfBoundsException', 'Index: 0');
  const message = contractRows.get(contract.type)?.message;
  if (message === undefined) inconsistent();
  const { typeUrl = '', value = new Uint8Array(0) } = contract.parameter ?? {};
  if (typeName(typeUrl) !== message.$name) {
    throw new ChainError('InvalidProtocolBufferException', 'Type of the Any message does not match the given class.');
  }
  const parameter = message.decode(value);
  const length = message.encode(parameter).length;
  discardUnknown(parameter, message);
  if (message.encode(parameter).length !== length) inconsistent();
}

function inconsistent(): never {
  throw new PeerMessageError('PROTOBUF_ERROR', 'protobuf inconsistent');
}
