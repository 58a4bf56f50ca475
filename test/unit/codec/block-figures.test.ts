import t from 'tap';
import { ReceiptFigures, TransactionOutline } from '../../../src/codec/block-figures.js';
import {
  ResourceReceipt,
  Transaction,
  TransactionContract,
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

t.test('merges a receipt whose fields occur repeatedly like the full decoder', async (t) => {
  const bytes = Buffer.concat([infoWith(5n, 1), infoWith(9n, 2)]);
  const whole = TransactionInfo.decode(bytes);
  const figures = ReceiptFigures.of(bytes);
  t.same([figures.energy, figures.logs], [whole.receipt?.energyUsageTotal, whole.log.length]);
});

t.test('reads fee limit, first contract and first signature of a transaction without decoding it', async (t) => {
  const contract = [31, 1].map((type) => Object.assign(new TransactionContract(), { type, permissionId: -2 }));
  for (const feeLimit of [0n, 1n, 15_000_000_000n, 2n ** 63n - 1n, -5n]) {
    const rawData = Object.assign(new TransactionRaw(), {
      feeLimit,
      timestamp: -1n,
      contract,
      data: new Uint8Array(9),
    });
    const signature = [new Uint8Array(65).fill(3), new Uint8Array(65)];
    const encoded = Transaction.encode(Object.assign(new Transaction(), { rawData, signature }));
    const outline = TransactionOutline.of(encoded);
    t.equal(outline.feeLimit, feeLimit, String(feeLimit));
    t.same(outline.signature, signature[0]);
    t.same(outline.contract, TransactionContract.encode(contract[0]!));
  }
  const none = TransactionOutline.of(new Uint8Array(0));
  t.same([none.feeLimit, none.signature, none.contract], [0n, undefined, undefined]);
});

t.test('merges a transaction whose fields occur repeatedly like the full decoder', async (t) => {
  const part = (type: number, feeLimit: bigint): Uint8Array => {
    const contract = [Object.assign(new TransactionContract(), { type })];
    return Transaction.encode(
      Object.assign(new Transaction(), { rawData: Object.assign(new TransactionRaw(), { feeLimit, contract }) }),
    );
  };
  const bytes = Buffer.concat([part(31, 7n), part(1, 9n)]);
  const { rawData } = Transaction.decode(bytes);
  const { feeLimit, contract } = TransactionOutline.of(bytes);
  t.equal(feeLimit, rawData?.feeLimit);
  t.same(contract, TransactionContract.encode(rawData!.contract[0]!));
});

t.test('rejects the same malformed bytes as the full decoder', async (t) => {
  t.throws(() => ReceiptFigures.of(Uint8Array.of(58, 5, 32)), { name: 'ProtobufError' });
  t.throws(() => TransactionOutline.of(Uint8Array.of(10, 9)), { name: 'ProtobufError' });
});
