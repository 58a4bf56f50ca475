import { mock } from 'node:test';
import t, { type Test } from 'tap';
import type { WriterLedger } from '../../../../src/projections/ledger/writer-ledger.js';
import type { BlockPosition } from '../../../../src/streams/follow/block-position.js';
import type { SolidBlock } from '../../../../src/streams/follow/solid-blocks.js';
import { forward } from '../../../../src/streams/forwarding/forward.js';
import { Resumption } from '../../../../src/streams/forwarding/resumption.js';
import { retainedSeq } from '../../../../src/streams/forwarding/retained-seq.js';
import type { SinkStatus } from '../../../../src/streams/forwarding/sink-status.js';
import type { BlockRecords } from '../../../../src/streams/records/event-record.js';
import type { RecordMaker } from '../../../../src/streams/records/record-maker.js';
import { BlockNotInLogError, type Sink } from '../../../../src/streams/sinks/sink.js';
import { silent } from '../../../support/projections/chain.js';
import { openBootstrapped } from '../../../support/streams/bootstrapped-chain.js';
import { openChain } from '../../../support/streams/genesis.js';
import { appendTransfers } from '../../../support/streams/transfer-chain.js';
import { temporaryFolder } from '../../../support/temporary-folder.js';
import { until } from '../../../support/until.js';

/** A record maker that creates no records. These tests read only the position of a block. */
const maker = {
  form: {},
  prepare: async () => undefined,
  recordsOf: ({ entry: { seq, number, id } }: SolidBlock): BlockRecords => {
    return { seq, number, id: Buffer.from(id).toString('hex'), parentId: '', readAt: 0, records: [] };
  },
} as unknown as RecordMaker;

/** A sink whose target other processes also use. It opens only if the log contains the last block of the target. */
class SharedSink implements Sink {
  readonly name: string = 'shared';
  readonly batch = { records: 100, bytes: 1000 };
  readonly numbers: number[] = [];
  opened = 0;
  private readonly position: BlockPosition;

  constructor(position: BlockPosition) {
    this.position = position;
  }

  async open(isInLog: (position: BlockPosition) => boolean = () => true): Promise<BlockPosition> {
    if (!isInLog(this.position)) throw new BlockNotInLogError(this.name, this.position);
    this.opened++;
    return this.position;
  }

  async write(blocks: readonly BlockRecords[]): Promise<void> {
    this.numbers.push(...blocks.map(({ number }) => number));
  }

  async close(): Promise<void> {}
}

/** Appends blocks up to a height. Each of them is solidified immediately. */
async function grow(ledger: WriterLedger, height: number, salt = ''): Promise<void> {
  while (ledger.position.headNumber < height) {
    appendTransfers(ledger, { salt, solidified: ledger.position.headNumber + 1 });
  }
  await ledger.flush();
}

async function chainOf(t: Test, height: number, salt = ''): Promise<WriterLedger> {
  const ledger = await openChain(temporaryFolder(t));
  t.teardown(() => ledger.close());
  await grow(ledger, height, salt);
  return ledger;
}

function positionAt(ledger: WriterLedger, number: number): BlockPosition {
  const { seq, id } = ledger.block(number)!;
  return { seq, number, id: Buffer.from(id).toString('hex') };
}

function run(
  t: Test,
  ledger: WriterLedger,
  sink: Sink,
): { readonly statuses: SinkStatus[]; readonly end: Promise<void> } {
  const statuses: SinkStatus[] = [];
  const stop = new AbortController();
  const end = forward({
    ...{ ledger, sink, maker, log: silent, signal: stop.signal, drain: new AbortController().signal },
    onStatus: (status) => statuses.push(status),
  });
  t.teardown(async () => {
    stop.abort();
    await end;
  });
  return { statuses, end };
}

t.test('takes over a sink only after the log contains its last block', async (t) => {
  const other = await chainOf(t, 30);
  const ledger = await chainOf(t, 10);
  const sink = new SharedSink(positionAt(other, 20));
  const { statuses } = run(t, ledger, sink);
  await until('the wait', () => statuses.at(-1)?.state === 'retrying');
  t.match(statuses.at(-1)?.problem, /^sink shared has forwarded block 20 \(.*\), which is not in this log; waiting/);
  await grow(ledger, 19);
  await new Promise((resolve) => setTimeout(resolve, 1200));
  t.equal(sink.opened, 0);
  await grow(ledger, 25);
  await until('the rest', () => sink.numbers.at(-1) === 25);
  t.strictSame(sink.numbers, [21, 22, 23, 24, 25]);
});

t.test('stops without taking over if the log has another block at the height', async (t) => {
  const other = await chainOf(t, 30, 'other');
  const ledger = await chainOf(t, 30);
  const sink = new SharedSink(positionAt(other, 20));
  const { statuses, end } = run(t, ledger, sink);
  await end;
  t.match(statuses.at(-1), {
    state: 'stopped',
    problem: /forwarded block 20 .* but the log contains block 20 .* instead/,
  });
  t.equal(sink.opened, 0);
});

t.test('reports a target that does not answer, until it answers', async (t) => {
  mock.timers.enable({ apis: ['setInterval'] });
  t.teardown(() => mock.timers.reset());
  const ledger = await chainOf(t, 10);
  const sink = new SharedSink(positionAt(ledger, 5));
  const answers: (() => void)[] = [];
  const { write } = sink;
  sink.write = async (blocks) => {
    await new Promise<void>((resolve) => answers.push(resolve));
    return write.call(sink, blocks);
  };
  const { statuses } = run(t, ledger, sink);
  await until('the write', () => answers.length === 1);
  mock.timers.tick(29_999);
  t.equal(statuses.at(-1)?.state, 'forwarding');
  for (const seconds of [30, 60]) {
    const before = statuses.length;
    mock.timers.tick(30_000);
    const problem = `has not answered for ${seconds} s`;
    t.match(statuses.slice(before), [{ state: 'retrying', number: 5, problem }]);
  }
  answers[0]!();
  await until('the blocks', () => statuses.at(-1)?.number === 10);
  t.match(statuses.at(-1), { state: 'forwarding', problem: undefined });
  const before = statuses.length;
  mock.timers.tick(60_000);
  t.equal(statuses.length, before, 'no report without a request');
});

/** A sink that stores its own position and does not compare it with the log. */
class OwnSink extends SharedSink {
  override readonly name: string = 'own';

  override async open(): Promise<BlockPosition> {
    return super.open();
  }
}

/** Returns a ledger that has pruned all blocks that a sink no longer needs. The sink has forwarded block 100. */
async function prunedChain(t: Test, lag: number): Promise<{ ledger: WriterLedger; position: BlockPosition }> {
  const ledger = await openChain(temporaryFolder(t), { retention: 'unsolidified', logRetention: 10 });
  t.teardown(() => ledger.close());
  let position: BlockPosition | undefined;
  ledger.retainChanges('sink own', -1);
  while (ledger.position.headNumber < 300) {
    const number = ledger.position.headNumber + 1;
    appendTransfers(ledger, number > lag ? { solidified: number - lag } : {});
    await ledger.flush();
    if (number !== 100 + lag) continue;
    position = positionAt(ledger, 100);
    ledger.retainChanges('sink own', retainedSeq(ledger, position));
  }
  return { ledger, position: position! };
}

for (const lag of [0, 1, 19])
  t.test(`resumes a sink that prevented the pruning of its next blocks (${lag} unsolidified)`, async (t) => {
    const { ledger, position } = await prunedChain(t, lag);
    t.ok(ledger.startNumber > 10 && ledger.startNumber < 100, `the log starts after block ${ledger.startNumber}`);
    const sink = new OwnSink(position);
    run(t, ledger, sink);
    await until('the last block', () => sink.numbers.at(-1) === 300 - lag);
    t.strictSame(
      sink.numbers,
      Array.from({ length: 200 - lag }, (_, at) => 101 + at),
    );
  });

for (const [name, number] of [
  ['a pruned block', 20],
  ['genesis', 0],
] as const)
  t.test(`stops a sink that has forwarded ${name}, because its next blocks are pruned`, async (t) => {
    const ledger = await openChain(temporaryFolder(t), { retention: 'unsolidified', logRetention: 10 });
    t.teardown(() => ledger.close());
    await grow(ledger, 25);
    const position = positionAt(ledger, number);
    while (ledger.position.headNumber < 60) await grow(ledger, ledger.position.headNumber + 1);
    t.equal(ledger.startNumber, 50);
    for (const sink of [new OwnSink(position), new SharedSink(position)]) {
      const { statuses, end } = run(t, ledger, sink);
      await end;
      t.match(statuses.at(-1), { state: 'stopped', problem: /, but the log starts after block 50\./ });
      t.strictSame(sink.numbers, []);
    }
  });

t.test('stops a sink whose last block is below a bootstrapped log', async (t) => {
  const other = await chainOf(t, 30);
  const ledger = await openBootstrapped(temporaryFolder(t), { number: 1000 });
  t.teardown(() => ledger.close());
  await grow(ledger, 1005);
  const sink = new OwnSink(positionAt(other, 20));
  const { statuses, end } = run(t, ledger, sink);
  await end;
  t.match(statuses.at(-1), { state: 'stopped', problem: /, but the log starts after block 1000\./ });
  t.strictSame(sink.numbers, []);
});

t.test('resumes a sink at the imported head of a bootstrapped log', async (t) => {
  const ledger = await openBootstrapped(temporaryFolder(t), { number: 1000 });
  t.teardown(() => ledger.close());
  const sink = new OwnSink(positionAt(ledger, 1000));
  await grow(ledger, 1005);
  run(t, ledger, sink);
  await until('the last block', () => sink.numbers.at(-1) === 1005);
  t.strictSame(sink.numbers, [1001, 1002, 1003, 1004, 1005]);
});

t.test('names the start of the log if the block below the start height of a sink is pruned', async (t) => {
  const ledger = await openChain(temporaryFolder(t), { retention: 'unsolidified', logRetention: 10 });
  t.teardown(() => ledger.close());
  while (ledger.position.headNumber < 40) await grow(ledger, ledger.position.headNumber + 1);
  const startAt = (from: number) =>
    new Resumption({ ledger, sink: { name: 'own' }, extent: { from }, log: silent }).startAt(undefined);
  for (const from of [1, 30, 31])
    t.throws(() => startAt(from), {
      message: `cannot start sink own at block ${from}, because the log starts after block 30; use a higher start height`,
    });
  t.match(startAt(32), { after: { number: 31 } });
});
