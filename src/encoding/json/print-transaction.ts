import {
  Block,
  BlockHeader,
  BlockHeaderRaw,
  TransactionContractContractType as ContractType,
  type CreateSmartContract,
  type Transaction,
  type TransactionApprovedList,
  type TransactionContract,
  type TransactionExtention,
  TransactionRaw,
  type TransactionSignWeight,
} from '../../codec/generated/messages.js';
import { keccak256, sha256 } from '../../crypto/hash.js';
import { nullPointer } from '../../java-compat/java-error.js';
import { present } from '../../primitives/assert.js';
import { concatBytes, toHex } from '../../primitives/bytes.js';
import { blockId } from '../../state-transition/block/encoded-block.js';
import { contractRows } from '../../state-transition/system-contracts/table.js';
import { decodeParameter } from '../../state-transition/transactions/decode-transaction.js';
import { enumNames } from './enum-names.js';
import { isInt64Quoted } from './int64-form.js';
import type { JsonRelease } from './json-release.js';
import { type JsonObject, type JsonValue, jsonObject, printJson } from './json-value.js';
import { messageToJson } from './print-message.js';

export interface PrintOptions {
  readonly visible: boolean;
  readonly release: JsonRelease;
  /** Address prefix byte. Used for the address of a contract that a transaction creates. */
  readonly addressPrefix: number;
}

/** Returns a transaction with decoded contracts, its id and its bytes. Reference: Util.printTransactionToJSON. */
export function transactionToJson(transaction: Transaction, options: PrintOptions): JsonObject {
  const { rawData } = transaction;
  if (rawData === undefined) throw nullPointer();
  const rawBytes = TransactionRaw.encode(rawData);
  const object = messageToJson(transaction, options.visible, options.release.json, 'raw_data');
  const contracts: JsonValue[] = [];
  for (const contract of rawData.contract) {
    const parameter = openParameter(contract, options);
    if (parameter === undefined) continue;
    if (contract.type === ContractType.CreateSmartContract) {
      const { ownerAddress } = decodeParameter(contract) as CreateSmartContract;
      const tail = keccak256(concatBytes(sha256(rawBytes), ownerAddress)).subarray(12);
      object.set('contract_address', options.addressPrefix.toString(16) + toHex(tail));
    }
    contracts.push(contractToJson(contract, parameter));
  }
  const raw = messageToJson(rawData, options.visible, options.release.json, 'contract', 1);
  raw.set('contract', contracts);
  object.set('raw_data', raw);
  object.set('raw_data_hex', toHex(rawBytes));
  object.set('txID', toHex(sha256(rawBytes)));
  return object;
}

/**
 * Returns the contract's message. Returns null for a type that no release executes, and undefined for a malformed
 * parameter.
 */
function openParameter(
  contract: TransactionContract,
  { visible, release }: PrintOptions,
): JsonObject | null | undefined {
  if (!contractRows.has(contract.type)) return null;
  const parameter = decodeParameter(contract);
  return parameter === undefined ? undefined : messageToJson(parameter, visible, release.json);
}

function contractToJson(contract: TransactionContract, value: JsonObject | null): JsonObject {
  const object = jsonObject({
    parameter: jsonObject({ value, type_url: contract.parameter?.typeUrl ?? '' }),
    type: enumNames(ContractType).byNumber.get(contract.type) ?? 'UNRECOGNIZED',
  });
  if (contract.permissionId > 0) object.set('Permission_id', BigInt(contract.permissionId));
  return object;
}

/** Returns the JSON text of a transaction. Reference: Util.printTransaction. */
export function printTransaction(transaction: Transaction, options: PrintOptions): string {
  return printJson(transactionToJson(transaction, options), options.release.json);
}

/** Returns the JSON text of a transaction that the node has just built. Reference: Util.printCreateTransaction. */
export function printNewTransaction(transaction: Transaction, options: PrintOptions): string {
  const object = transactionToJson(transaction, options);
  object.set('visible', options.visible);
  return printJson(object, options.release.json);
}

/**
 * Returns the JSON text of the result of a call, with the decoded transaction if the call succeeded. Reference:
 * Util.printTransactionExtention.
 */
export function printExtention(message: TransactionExtention, options: PrintOptions): string {
  const isFine = message.result?.result === true;
  const object = messageToJson(message, options.visible, options.release.json, isFine ? 'transaction' : undefined);
  if (isFine) {
    const transaction = transactionToJson(
      present(message.transaction, 'a successful call has its transaction'),
      options,
    );
    transaction.set('visible', options.visible);
    object.set('transaction', transaction);
  }
  return printJson(object, options.release.json);
}

/**
 * Returns the JSON text of a multi-signature answer with its transaction. Reference: Util.printTransactionSignWeight,
 * printTransactionApprovedList.
 */
export function printSigned(message: TransactionSignWeight | TransactionApprovedList, options: PrintOptions): string {
  const object = messageToJson(message, options.visible, options.release.json);
  const transaction = message.transaction?.transaction;
  const extention = object.get('transaction') as JsonObject | undefined;
  if (transaction !== undefined) extention?.set('transaction', transactionToJson(transaction, options));
  return printJson(object, options.release.json);
}

/** Returns a block with its id and decoded transactions. Reference: Util.printBlockToJSON. */
function blockToJson(block: Block, options: PrintOptions): JsonObject {
  const header = block.blockHeader ?? new BlockHeader();
  const blockID = toHex(blockId(header.rawData ?? new BlockHeaderRaw()));
  const object = jsonObject({ blockID });
  const isPrinted = options.release.json === 'jackson' || block.blockHeader !== undefined;
  if (isPrinted) object.set('block_header', messageToJson(header, options.visible, options.release.json));
  if (block.transactions.length > 0) {
    object.set(
      'transactions',
      block.transactions.map((transaction) => transactionToJson(transaction, options)),
    );
  }
  return object;
}

export function printBlock(block: Block, options: PrintOptions): string {
  return printJson(blockToJson(block, options), options.release.json);
}

/** Format of a printed block: with or without `visible`, and 64-bit integers as numbers or as strings. */
type StoredForm = `${'visible' | 'hidden'} ${'numbers' | 'strings'}`;

/**
 * JSON texts of stored blocks, by format. A text is cached as long as the object that represents the stored block is in
 * use.
 */
const storedTexts = new WeakMap<StoredBlock, { [form in StoredForm]?: string }>();

/** A block in the block log. */
interface StoredBlock {
  readonly block: Uint8Array;
}

/**
 * Returns the JSON text of a stored block. The text is cached, because a stored block never changes. All callers must
 * have the same address prefix.
 */
export function printStoredBlock(stored: StoredBlock, options: PrintOptions): string {
  let texts = storedTexts.get(stored);
  if (texts === undefined) {
    texts = {};
    storedTexts.set(stored, texts);
  }
  const form = `${options.visible ? 'visible' : 'hidden'} ${isInt64Quoted() ? 'strings' : 'numbers'}` as const;
  texts[form] ??= printBlock(Block.decode(stored.block), options);
  return texts[form];
}

/** Returns the JSON text of a list of blocks. Reference: Util.printBlockList. */
export function printBlocks(blocks: readonly Block[], options: PrintOptions): string {
  return printJson(jsonObject({ block: blocks.map((item) => blockToJson(item, options)) }), options.release.json);
}
