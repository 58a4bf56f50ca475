import t from 'tap';
import {
  Block,
  BlockHeader,
  BlockHeaderRaw,
  InternalTransaction,
  ResourceReceipt,
  Transaction,
  TransactionInfo,
  TransactionRaw,
  TransactionRet,
} from '../../../../src/codec/generated/messages.js';
import { concatBytes, toHex } from '../../../../src/primitives/bytes.js';
import { decodeBlock } from '../../../../src/state-transition/block/decoded-block.js';
import { StoredBlock } from '../../../../src/state-transition/block/stored-block.js';

const transactions = [1n, 2n].map((feeLimit) =>
  Object.assign(new Transaction(), { rawData: Object.assign(new TransactionRaw(), { feeLimit }) }),
);
const rawData = Object.assign(new BlockHeaderRaw(), { number: 7n, timestamp: 3000n });
const message = Object.assign(new Block(), {
  blockHeader: Object.assign(new BlockHeader(), { rawData, witnessSignature: Uint8Array.of(9) }),
  transactions,
});
const block = Block.encode(message);
const internalTransactions = [Object.assign(new InternalTransaction(), { hash: Uint8Array.of(5) })];
const infos = [
  Object.assign(new TransactionInfo(), { fee: 4n, internalTransactions }),
  Object.assign(new TransactionInfo(), { receipt: Object.assign(new ResourceReceipt(), { energyUsageTotal: 1n }) }),
];
const resultsOf = (transactioninfo: TransactionInfo[]): Uint8Array =>
  TransactionRet.encode(Object.assign(new TransactionRet(), { transactioninfo }));
const results = resultsOf(infos);

t.test('returns the same parts as the block decoder', async (t) => {
  const stored = new StoredBlock({ block, results });
  const whole = decodeBlock(block);
  t.same(stored.id, whole.id);
  t.same([stored.number, stored.header.timestamp, stored.transactionCount], [7, 3000n, 2]);
  t.same(stored.signature, Uint8Array.of(9));
  t.same(
    stored.transactions.map(({ idHex, message: { rawData } }) => [idHex, rawData?.feeLimit]),
    whole.transactions.map(({ idHex, raw }) => [idHex, raw.feeLimit]),
  );
  t.same(stored.infos, infos);
  t.equal(stored.transactions[0]?.info, stored.infos[0], 'a result is decoded once');
  t.equal(stored.transactions[0]?.message, stored.transactions[0]?.message, 'a transaction is decoded once');
  t.equal(stored.decoded, stored.decoded);
});

t.test('does not recompute data of the log', async (t) => {
  const [id, other] = [Uint8Array.of(1), Uint8Array.of(2)];
  const stored = new StoredBlock({ block: new Uint8Array(0), results, number: 8, id, transactionIds: [other] });
  t.same([stored.number, stored.id], [8, id]);
  const known = new StoredBlock({ block, results, transactionIds: [other] });
  t.equal(known.transactions[0]?.idHex, toHex(other));
});

t.test('does not read unused parts', async (t) => {
  // The third transaction is one malformed byte.
  const broken = concatBytes(block, Uint8Array.of(0x0a, 1, 0xff));
  const stored = new StoredBlock({ block: broken, results });
  t.equal(stored.transactionCount, 3);
  t.equal(stored.transactions[1]?.message.rawData?.feeLimit, 2n);
  t.throws(() => stored.transactions[2]?.message);
  t.throws(() => stored.decoded);
});

t.test('reads internal transactions stored with the block, else from the receipts', async (t) => {
  const of = (kept?: Uint8Array, of = results) =>
    new StoredBlock({ block, results: of }, () => kept).transactions.map(({ internal }) => internal.length);
  t.same(of(), [1, 0]);
  t.same(of(resultsOf([new TransactionInfo(), infos[0] ?? new TransactionInfo()])), [0, 1]);
  const plain = resultsOf([new TransactionInfo(), new TransactionInfo()]);
  t.same(of(results, plain), [0, 0], 'no contract ran');
  t.same(of(undefined, new Uint8Array(0)), [0, 0], 'the genesis block');
});
