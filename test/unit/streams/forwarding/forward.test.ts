import { mock } from 'node:test';
import t, { type Test } from 'tap';
import type { WriterLedger } from '../../../../src/projections/ledger/writer-ledger.js';
import type { BlockPosition } from '../../../../src/streams/follow/block-position.js';
import type { SolidBlock } from '../../../../src/streams/follow/solid-blocks.js';
import { forward } from '../../../../src/streams/forwarding/forward.js';
import type { SinkStatus } from '../../../../src/streams/forwarding/sink-status.js';
import type { BlockRecords } from '../../../../src/streams/records/event-record.js';
import type { RecordMaker } from '../../../../src/streams/records/record-maker.js';
import { BlockNotInLogError, type Sink } from '../../../../src/streams/sinks/sink.js';
import { silent } from '../../../support/projections/chain.js';
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
  readonly name = 'shared';
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
  for (const _report of ['first', 'second']) {
    const before = statuses.length;
    mock.timers.tick(30_000);
    t.match(statuses.slice(before), [{ state: 'retrying', number: 5, problem: /has not answered for 30 s/ }]);
  }
  answers[0]!();
  await until('the blocks', () => statuses.at(-1)?.number === 10);
  t.match(statuses.at(-1), { state: 'forwarding', problem: undefined });
  const before = statuses.length;
  mock.timers.tick(60_000);
  t.equal(statuses.length, before, 'no report without a request');
});
