import t from 'tap';
import {
  Any,
  Block,
  BlockHeader,
  BlockHeaderRaw,
  TransactionContractContractType as ContractType,
  Transaction,
  TransactionContract,
  TransactionRaw,
  Transactions,
  TransferContract,
} from '../../../../src/codec/generated/messages.js';
import { P2pError } from '../../../../src/p2p/p2p-error.js';
import {
  readBlock,
  readGossipedTransaction,
  readTransactions,
  writtenSize,
} from '../../../../src/p2p/receive/read-messages.js';
import { concatBytes, fromHex } from '../../../../src/primitives/bytes.js';
import { ChainError } from '../../../../src/state-transition/errors.js';

/** Unknown protobuf field 99 with a value of one byte. */
const UNKNOWN = fromHex('980601');

function transfer(change: (contract: TransactionContract) => void = () => undefined): Transaction {
  const transfer = Object.assign(new TransferContract(), { ownerAddress: new Uint8Array(21).fill(0x41), amount: 5n });
  const parameter = Object.assign(new Any(), {
    typeUrl: 'type.googleapis.com/protocol.TransferContract',
    value: TransferContract.encode(transfer),
  });
  const contract = Object.assign(new TransactionContract(), { type: ContractType.TransferContract, parameter });
  change(contract);
  const rawData = Object.assign(new TransactionRaw(), { contract: [contract], timestamp: 7n });
  return Object.assign(new Transaction(), { rawData, signature: [new Uint8Array(65).fill(1)] });
}

function blockOf(transactions: Transaction[], header: BlockHeader | undefined = headerOf()): Uint8Array {
  return Block.encode(Object.assign(new Block(), { transactions, blockHeader: header }));
}

function headerOf(): BlockHeader {
  const rawData = Object.assign(new BlockHeaderRaw(), { number: 3n, timestamp: 9000n });
  return Object.assign(new BlockHeader(), { rawData, witnessSignature: new Uint8Array(65).fill(2) });
}

const otherType = transfer((contract) => {
  contract.type = ContractType.TransferAssetContract;
});
const padded = transfer((contract) => {
  contract.parameter!.value = concatBytes(contract.parameter!.value, UNKNOWN);
});
const unread = transfer((contract) => {
  contract.parameter!.value = fromHex('0a7f');
});
const bytes = Transaction.encode(transfer());
const longVarint = fromHex('0a0440878000');

/** Returns the error with which a message is rejected: an error code, or the name of an exception. */
function fault(read: () => unknown): string {
  try {
    read();
    return 'read';
  } catch (error) {
    if (error instanceof P2pError) return error.code;
    return error instanceof ChainError ? error.exception : (error as Error).name;
  }
}

t.test('removes unknown fields and checks the contract type with the filter', async (t) => {
  const cases: readonly (readonly [what: string, bytes: Uint8Array, open: string, filtered: string])[] = [
    ['a canonical transaction', bytes, 'read', 'read'],
    ['malformed protobuf', fromHex('0aff'), 'BadItemException', 'BadItemException'],
    ['an unknown field after the known ones', concatBytes(bytes, UNKNOWN), 'read', 'PROTOBUF_ERROR'],
    ['a varint that is not minimal', longVarint, 'read', 'PROTOBUF_ERROR'],
    ['no contract', Transaction.encode(new Transaction()), 'read', 'IndexOutOfBoundsException'],
    ['a parameter of another type', Transaction.encode(otherType), 'read', 'InvalidProtocolBufferException'],
    ['an unknown field in the parameter', Transaction.encode(padded), 'read', 'PROTOBUF_ERROR'],
  ];
  for (const [what, given, open, filtered] of cases) {
    t.equal(
      fault(() => readGossipedTransaction(given, false)),
      open,
      what,
    );
    t.equal(
      fault(() => readGossipedTransaction(given, true)),
      filtered,
      `${what}, filtered`,
    );
  }
  const list = Transactions.encode(Object.assign(new Transactions(), { transactions: [transfer(), padded] }));
  t.equal(readTransactions(list, false).length, 2);
  t.equal(
    fault(() => readTransactions(list, true)),
    'PROTOBUF_ERROR',
    'one transaction of a list',
  );
});

t.test('reports the same contract errors of a block with the filter', async (t) => {
  for (const [what, transaction] of [
    ['a parameter of another type', otherType],
    ['an unknown field in a parameter', padded],
    ['a malformed parameter', unread],
    ['no contract', new Transaction()],
  ] as const) {
    const given = blockOf([transfer(), transaction]);
    t.equal(
      fault(() => readBlock(given, false)),
      'read',
      what,
    );
    t.equal(
      fault(() => readBlock(given, true)),
      'PROTOBUF_ERROR',
      `${what}, filtered`,
    );
  }
  t.equal(
    fault(() => readBlock(concatBytes(blockOf([]), UNKNOWN), true)),
    'PROTOBUF_ERROR',
  );
  t.equal(
    fault(() => readBlock(fromHex('0aff'), true)),
    'BadItemException',
  );
});

t.test('computes the size of a block from its parts', async (t) => {
  for (const given of [blockOf([]), blockOf([transfer(), padded]), concatBytes(blockOf([transfer()]), UNKNOWN)]) {
    const block = readBlock(given, false);
    t.equal(writtenSize(block), Block.encode(block.message).length);
    t.equal(writtenSize(block), given.length);
  }
  const headless = blockOf([transfer()], undefined);
  t.equal(
    fault(() => readBlock(Block.encode(Object.assign(new Block(), { transactions: [transfer()] })), true)),
    'read',
    'a block without a header',
  );
  t.equal(writtenSize(readBlock(headless, true)), headless.length);
});
