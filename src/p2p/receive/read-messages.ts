import type { MessageType } from '../../codec/descriptor.js';
import { discardUnknown } from '../../codec/discard-unknown.js';
import { Block, BlockHeader, Transaction, Transactions } from '../../codec/generated/messages.js';
import { ProtobufError } from '../../codec/reader.js';
import { type DecodedBlock, toDecodedBlock } from '../../state-transition/block/decoded-block.js';
import { ChainError, unchecked } from '../../state-transition/errors.js';
import { contractRows } from '../../state-transition/system-contracts/table.js';
import type { DecodedTransaction } from '../../state-transition/transaction.js';
import { decodeTransaction, fieldSize, typeName } from '../../state-transition/transactions/decode-transaction.js';
import { P2pError, rejectReasonIn } from '../p2p-error.js';

/**
 * Calls a decoder for bytes received from a peer.
 * @throws {P2pError} the decoder failed. The code is PARSE_MESSAGE_FAILED if the decoder's error has no rejection
 * reason
 */
export function reading<T>(
  read: (bytes: Uint8Array, isFiltered: boolean) => T,
  bytes: Uint8Array,
  isFiltered: boolean,
): T {
  try {
    return read(bytes, isFiltered);
  } catch (error) {
    throw rejectReasonIn(error, 'PARSE_MESSAGE_FAILED') ?? error;
  }
}

/**
 * Decodes a block of a peer. The filter (proposal 24) rejects a block with unknown fields. Reference: BlockMessage.
 * @throws {ChainError} BadItemException: the data is malformed
 * @throws {P2pError} PROTOBUF_ERROR: the filter is on, and the block or a contract has unknown fields, or a contract is
 * invalid
 */
export function readBlock(bytes: Uint8Array, isFiltered: boolean): DecodedBlock {
  const message = readMessage(Block, bytes, isFiltered, 'Block proto data parse exception');
  // Computes the size first, because `toDecodedBlock` adds a missing header.
  const headerSize = sizeOfHeader(message);
  const block = toDecodedBlock(message, bytes);
  if (!isFiltered) return block;
  if (headerSize + sizeOfTransactions(block) !== bytes.length) inconsistent();
  for (const transaction of message.transactions) {
    try {
      checkContract(transaction);
    } catch (error) {
      if (error instanceof ChainError || error instanceof ProtobufError) inconsistent();
      throw error;
    }
  }
  return block;
}

/** Returns the size of a block after re-encoding, in bytes. Uses the known sizes of the transactions. */
export function writtenSize(block: DecodedBlock): number {
  return sizeOfTransactions(block) + sizeOfHeader(block.message) + (block.message.$unknown?.length ?? 0);
}

function sizeOfTransactions({ transactions }: DecodedBlock): number {
  return transactions.reduce((sum, { size }) => sum + fieldSize(size), 0);
}

function sizeOfHeader({ blockHeader }: Block): number {
  return blockHeader === undefined ? 0 : fieldSize(BlockHeader.encode(blockHeader).length);
}

/**
 * Decodes a transaction of a peer. Reference: TransactionMessage.
 * @throws {ChainError} BadItemException: the data is malformed
 * @throws {P2pError} PROTOBUF_ERROR: the filter is on, and the transaction or its contract has unknown fields
 * @throws {ChainError | ProtobufError} the filter is on, and the contract is invalid
 */
export function readGossipedTransaction(bytes: Uint8Array, isFiltered: boolean): DecodedTransaction {
  const message = readMessage(Transaction, bytes, isFiltered, 'Transaction proto data parse exception');
  const transaction = decodeTransaction(message);
  if (isFiltered) {
    if (transaction.size !== bytes.length) inconsistent();
    checkContract(message);
  }
  return transaction;
}

/**
 * Decodes the transactions of one message. The rules are those of {@link readGossipedTransaction}. Reference:
 * TransactionsMessage.
 * @throws {P2pError | ChainError | ProtobufError} a transaction is invalid
 */
export function readTransactions(bytes: Uint8Array, isFiltered: boolean): readonly DecodedTransaction[] {
  const message = readMessage(Transactions, bytes, isFiltered, 'Transactions proto data parse exception');
  if (isFiltered) {
    if (Transactions.encode(message).length !== bytes.length) inconsistent();
    message.transactions.forEach(checkContract);
  }
  return message.transactions.map((transaction) => decodeTransaction(transaction));
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

/**
 * Checks that a contract parameter has its declared type and no unknown fields. Called only if the filter is on, and
 * throws if the parameter is invalid.
 * Reference: validContractProto.
 */
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
  throw new P2pError('PROTOBUF_ERROR', 'protobuf inconsistent');
}
