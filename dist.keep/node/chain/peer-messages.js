import { discardUnknown } from '../../log/codec/discard-unknown.js';
import { Block, Transaction, Transactions } from '../../log/codec/generated/messages.js';
import { ProtobufError } from '../../log/codec/reader.js';
import { fromHex, fromInt64, toHex } from '../../log/domain/bytes.js';
import { toDecodedBlock } from '../../vm/block/decoded-block.js';
import { activeWitnesses } from '../../vm/consensus/schedule.js';
import { ChainError, unchecked } from '../../vm/errors.js';
import { contractMessages } from '../../vm/transactions/contract-messages.js';
import { decodeTransaction, typeName } from '../../vm/transactions/decode-transaction.js';
import { isSignedByWitness } from './witness-signature.js';
/** Reason of a message that is refused before, or instead of, being processed. Reference: P2pException.TypeEnum. */
export class PeerMessageError extends ChainError {
    type;
    constructor(type, text, cause) {
        super('P2pException', text, cause === undefined ? {} : { cause });
        this.type = type;
    }
}
/** Bytes of a block message at most. Reference: BlockMsgHandler.maxBlockSize. */
const BLOCK_BYTES_MAX = 2_001_000;
/** ms that a block's time may lie ahead: for the first look, and for the one before it is processed. */
const AHEAD_MAX_MS = 3000;
const AHEAD_SLACK_MS = 1000;
/**
 * Reads a block as a peer sends it. With the filter (proposal 24) unknown fields are dropped, and whatever gets shorter by
 * that is refused. Reference: BlockMessage.
 * @throws {ChainError} BadItemException, P2pException
 */
export function readBlockMessage(bytes, isFiltered) {
    const message = readMessage(Block, bytes, isFiltered, 'Block proto data parse exception');
    if (isFiltered) {
        if (Block.encode(message).length !== bytes.length)
            inconsistent();
        for (const transaction of message.transactions) {
            try {
                checkContract(transaction);
            }
            catch (error) {
                if (error instanceof ChainError || error instanceof ProtobufError)
                    inconsistent();
                throw error;
            }
        }
    }
    return toDecodedBlock(message, bytes);
}
/** Reads a transaction as a peer sends it. Reference: TransactionMessage. @throws {ChainError} */
export function readTransactionMessage(bytes, isFiltered) {
    const message = readMessage(Transaction, bytes, isFiltered, 'Transaction proto data parse exception');
    if (isFiltered) {
        if (Transaction.encode(message).length !== bytes.length)
            inconsistent();
        checkContract(message);
    }
    return decodeTransaction(message);
}
/** Reads the transactions of one message, as {@link readTransactionMessage} does each. Reference: TransactionsMessage. @throws {ChainError} */
export function readTransactionsMessage(bytes, isFiltered) {
    const message = readMessage(Transactions, bytes, isFiltered, 'Transactions proto data parse exception');
    if (isFiltered) {
        if (Transactions.encode(message).length !== bytes.length)
            inconsistent();
        message.transactions.forEach(checkContract);
    }
    return message.transactions.map(decodeTransaction);
}
/** Size and time of a block that was asked for. Reference: BlockMsgHandler.check. @throws {PeerMessageError} BAD_MESSAGE */
export function checkBlockMessage(block, nowMs) {
    if (Block.encode(block.message).length > BLOCK_BYTES_MAX)
        throw new PeerMessageError('BAD_MESSAGE', 'block size over limit');
    if (block.timeMs - nowMs >= AHEAD_MAX_MS)
        throw new PeerMessageError('BAD_MESSAGE', 'block time error');
}
/** A block of a chain that was asked for, which follows what is known. Reference: SyncService.processSyncBlock. @throws {ChainError} */
export function receiveSynced(chain, block, options) {
    checkWitnessSignature(chain.state, block);
    pushAnnounced(chain, block, options);
}
/**
 * The steps for a block that a peer announced and this node asked for; `at` hears of each step before it begins.
 * Reference: BlockMsgHandler. @throws {ChainError}
 */
export function receiveAnnounced(chain, block, nowMs, at, options = {}) {
    at('check');
    checkBlockMessage(block, nowMs);
    at('parent');
    if (block.raw.parentHash.length !== 32)
        throw unchecked('IllegalArgumentException');
    if (!isKnown(chain, parentId(block)))
        return { result: 'dropped', stage: 'unlinked' };
    if (block.number < chain.ledger.position.headNumber)
        return { result: 'dropped', stage: 'low' };
    at('valid');
    if (block.timeMs - nowMs > AHEAD_SLACK_MS) {
        throw new PeerMessageError('BAD_BLOCK', `time:${nowMs},block time:${block.timeMs}`);
    }
    checkWitnessSignature(chain.state, block);
    const broadcastFirst = activeWitnesses(chain.state).includes(block.witness);
    at('push');
    pushAnnounced(chain, block, options);
    return { result: 'ok', broadcastFirst };
}
/** Whether a block that will be processed is passed on before that. */
export function isBroadcastFirst(chain, block) {
    return activeWitnesses(chain.state).includes(block.witness);
}
/** Offers a peer's transaction to the pool. Reference: TronNetDelegate.pushTransaction. @throws {ChainError} */
export function receiveTransaction(chain, transaction) {
    if (transaction.raw.contract.length === 0)
        throw unchecked('IndexOutOfBoundsException', 'Index: 0');
    try {
        chain.pool.offer(transaction);
    }
    catch (error) {
        if (!(error instanceof ChainError) || !error.checked)
            throw error;
        const type = BAD_TRANSACTIONS.has(error.exception) ? 'BAD_TRX' : 'TRX_EXE_FAILED';
        throw new PeerMessageError(type, javaText(error), error);
    }
}
const BAD_TRANSACTIONS = new Set(['ContractSizeNotEqualToOneException', 'VMIllegalException']);
/** An exception as Java prints it: class name, and text where there is one. */
export function javaText({ exception, text }) {
    const name = `${packageOf(exception)}.${exception}`;
    return text === null ? name : `${name}: ${text}`;
}
function packageOf(exception) {
    if (JAVA_LANG.has(exception))
        return 'java.lang';
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
function pushAnnounced(chain, block, options) {
    try {
        chain.push(block, options);
    }
    catch (error) {
        if (!(error instanceof ChainError) || !error.checked)
            throw error;
        const isRoot = error.exception === 'BadBlockException' && error.message.startsWith('The merkle hash');
        throw new PeerMessageError(isRoot ? 'BLOCK_MERKLE_ERROR' : 'BAD_BLOCK', javaText(error), error);
    }
}
/** Reference: BlockCapsule.validateSignature. @throws {PeerMessageError} BLOCK_SIGN_ERROR */
function checkWitnessSignature(state, block) {
    let isRight;
    try {
        isRight = isSignedByWitness(state, block);
    }
    catch (error) {
        if (error instanceof ChainError)
            throw new PeerMessageError('BLOCK_SIGN_ERROR', javaText(error), error);
        throw error;
    }
    if (!isRight)
        throw new PeerMessageError('BLOCK_SIGN_ERROR', 'valid signature failed.');
}
/** The parent's id: its hash with the number before this block's written over the first 8 bytes. */
function parentId({ raw, number }) {
    return toHex(fromInt64(BigInt(number) - 1n)) + toHex(raw.parentHash.subarray(8));
}
/** Whether a block waits among the recent ones, or is canonical. */
export function isKnown({ recent, ledger }, idHex) {
    return recent.get(idHex) !== undefined || ledger.numberOf(fromHex(idHex)) !== undefined;
}
function readMessage(type, bytes, isFiltered, text) {
    try {
        const message = type.decode(bytes);
        if (isFiltered)
            discardUnknown(message, type);
        return message;
    }
    catch (error) {
        throw new ChainError('BadItemException', text, { cause: error });
    }
}
/** With the filter a contract's parameter must be of the type it says, and hold nothing unknown. Reference: validContractProto. */
function checkContract({ rawData }) {
    const contract = rawData?.contract[0];
    if (contract === undefined)
        throw unchecked('IndexOutOfBoundsException', 'Index: 0');
    const message = contractMessages.get(contract.type);
    if (message === undefined)
        inconsistent();
    const { typeUrl = '', value = new Uint8Array(0) } = contract.parameter ?? {};
    if (typeName(typeUrl) !== message.$name) {
        throw new ChainError('InvalidProtocolBufferException', 'Type of the Any message does not match the given class.');
    }
    const parameter = message.decode(value);
    const length = message.encode(parameter).length;
    discardUnknown(parameter, message);
    if (message.encode(parameter).length !== length)
        inconsistent();
}
function inconsistent() {
    throw new PeerMessageError('PROTOBUF_ERROR', 'protobuf inconsistent');
}
//# sourceMappingURL=peer-messages.js.map