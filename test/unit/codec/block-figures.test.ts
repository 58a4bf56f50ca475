import t from 'tap';
import { ReceiptFigures, TransactionFigures } from '../../../src/codec/block-figures.js';
import {
  ResourceReceipt,
  Transaction,
  TransactionInfo,
  TransactionInfoLog,
  TransactionRaw,
} from '../../../src/codec/generated/messages.js';

function infoWith(energyUsageTotal: bigint, logs: number): Uint8Array {
  const receipt = Object.assign(new ResourceReceipt(), { energyUsage: 7n, energyUsageTotal, netUsage: 345n });
  const log = Array.from({ length: logs }, () =>
    Object.assign(new TransactionInfoLog(), { address: new Uint8Array(20).fill(1), topics: [new Uint8Array(32)] }),
  );
  return TransactionInfo.encode(Object.assign(new TransactionInfo(), { id: new Uint8Array(32), receipt, log }));
}

t.test('reads energy and log count of a receipt without decoding it', async (t) => {
  for (const [energy, logs] of [
    [0n, 0],
    [1n, 1],
    [2n ** 40n + 3n, 12],
    [2n ** 63n - 1n, 2],
    [-1n, 0],
  ] as const) {
    const { energy: read, logs: counted } = ReceiptFigures.of(infoWith(energy, logs));
    t.same([read, counted], [energy, logs], `${energy} and ${logs}`);
  }
  const none = ReceiptFigures.of(TransactionInfo.encode(new TransactionInfo()));
  t.same([none.energy, none.logs], [0n, 0], 'a receipt without resources');
});

t.test('merges a receipt in parts like a decoder', async (t) => {
  const bytes = Buffer.concat([infoWith(5n, 1), infoWith(9n, 2)]);
  const whole = TransactionInfo.decode(bytes);
  const figures = ReceiptFigures.of(bytes);
  t.same([figures.energy, figures.logs], [whole.receipt?.energyUsageTotal, whole.log.length]);
});

t.test('reads the fee limit of a transaction without decoding it', async (t) => {
  for (const feeLimit of [0n, 1n, 15_000_000_000n, 2n ** 63n - 1n, -5n]) {
    const rawData = Object.assign(new TransactionRaw(), { feeLimit, timestamp: 1n, data: new Uint8Array(300) });
    const message = Object.assign(new Transaction(), { rawData, signature: [new Uint8Array(65)] });
    t.equal(TransactionFigures.of(Transaction.encode(message)).feeLimit, feeLimit, String(feeLimit));
  }
});

t.test('rejects malformed bytes like a decoder', async (t) => {
  t.throws(() => ReceiptFigures.of(Uint8Array.of(58, 5, 32)), { name: 'ProtobufError' });
  t.throws(() => TransactionFigures.of(Uint8Array.of(10, 9)), { name: 'ProtobufError' });
});
