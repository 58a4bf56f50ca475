import {
  Any,
  Block,
  BlockHeader,
  BlockHeaderRaw,
  Transaction,
  TransactionContract,
  TransactionInfo,
  TransactionRaw,
  TransactionResult,
  TransactionRet,
  TransferContract,
} from '../../../src/codec/generated/messages.js';
import { sha256 } from '../../../src/crypto/hash.js';
import { utf8 } from '../../../src/primitives/bytes.js';
import type { BlockRef } from '../../../src/projections/ledger/ledger.js';
import type { WriterLedger } from '../../../src/projections/ledger/writer-ledger.js';
import { blockId } from '../projections/chain.js';

export interface BlockOptions {
  /** Text that makes blocks of the same height different. */
  readonly salt?: string;
  readonly transactions?: number;
  /** Size of the memo in each transaction, in bytes. */
  readonly memoBytes?: number;
  /** Height that is solidified with the block; undefined if none. */
  readonly solidified?: number;
  /** Encoded internal transactions of the block. If set, the receipts are those of contract calls. */
  readonly internalTransactions?: Uint8Array;
}

/**
 * Appends a block of transfers without executing it, which is sufficient for forwarding.
 * @returns the position of the block
 */
export function appendTransfers(ledger: WriterLedger, options: BlockOptions = {}): BlockRef {
  const { salt = '', transactions = 2, memoBytes = 4, solidified } = options;
  const { headNumber, headId } = ledger.position;
  const number = headNumber + 1;
  const messages = Array.from({ length: transactions }, (_, at) => transfer(`${number} ${salt} ${at}`, memoBytes));
  const ids = messages.map(({ rawData }) => sha256(TransactionRaw.encode(rawData!)));
  const results = new TransactionRet();
  const called = options.internalTransactions && { contractAddress: party('contract') };
  results.transactioninfo = ids.map((id) =>
    Object.assign(new TransactionInfo(), { id, blockNumber: BigInt(number), ...called }),
  );
  const id = blockId(number, `${salt}${transactions}`);
  const solid = solidified === undefined ? undefined : solidified === number ? id : ledger.blockIdAt(solidified)!;
  ledger.append({
    number,
    id,
    parentId: headId,
    bytes: transferBlock(number, messages),
    results: transactions === 0 ? new Uint8Array(0) : TransactionRet.encode(results),
    transactionIds: ids,
    changes: [],
    internalTransactions: options.internalTransactions ?? new Uint8Array(0),
    ...(solidified !== undefined && solid && { solidified: { number: solidified, id: solid } }),
  });
  return { number, id };
}

/** Returns the encoded block of a height. Block n has the timestamp 3 s × n. */
export function transferBlock(number: number, transactions: Transaction[]): Uint8Array {
  const raw = Object.assign(new BlockHeaderRaw(), { number: BigInt(number), timestamp: BigInt(number) * 3000n });
  const block = new Block();
  block.blockHeader = Object.assign(new BlockHeader(), { rawData: raw });
  block.transactions = transactions;
  return Block.encode(block);
}

function party(name: string): Uint8Array {
  return Buffer.concat([Uint8Array.of(0x41), sha256(utf8(name)).subarray(0, 20)]);
}

function transfer(salt: string, memoBytes: number): Transaction {
  const parameter = Object.assign(new TransferContract(), {
    ownerAddress: party(salt),
    toAddress: party(`to ${salt.length}`),
    amount: 1n,
  });
  const contract = new TransactionContract();
  contract.type = 1;
  contract.parameter = Object.assign(new Any(), {
    typeUrl: 'type.googleapis.com/protocol.TransferContract',
    value: TransferContract.encode(parameter),
  });
  const raw = new TransactionRaw();
  raw.contract = [contract];
  raw.data = Buffer.alloc(memoBytes, sha256(utf8(salt)));
  const message = new Transaction();
  message.rawData = raw;
  message.ret = [Object.assign(new TransactionResult(), { contractRet: 1 })];
  return message;
}
