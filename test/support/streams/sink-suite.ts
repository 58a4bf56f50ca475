import { writeFileSync } from 'node:fs';
import type { Test } from 'tap';
import { positionOf } from '../../../src/streams/follow/block-position.js';
import type { BlockRecords } from '../../../src/streams/records/event-record.js';
import { SinkError } from '../../../src/streams/sink-error.js';
import type { Sink } from '../../../src/streams/sinks/sink.js';
import type { SinkType } from '../../../src/streams/sinks/sink-kinds.js';
import { until } from '../until.js';

/** Creates sinks of one kind. All sinks of a stage write to the same target, which is empty at first. */
export interface SinkStage {
  /** File in which the sinks of this suite store their position. */
  readonly checkpointFile: string;
  /** Creates a sink as after a start of the process. The sink continues after the last record of the sink before it. */
  make(): Promise<Sink>;
  /** Resolves when the target can receive records of the most recently opened sink. */
  ready?(): Promise<void>;
  /** Returns all payloads in the target, in the order of the target. Waits for at least `count` payloads. */
  arrived(count: number): Promise<readonly string[]>;
  /**
   * Returns a sink whose target currently rejects records. `repair` makes the target accept records, and returns the
   * sink with which the test continues: the same sink if possible.
   */
  refused(): Promise<{ readonly sink: Sink; repair(): Promise<Sink> }>;
}

/**
 * Tests the contract of every kind of sink. It covers order, positions, gaps and duplicates after restarts and errors,
 * temporary and permanent errors, and a clean end.
 * @param type kind of sink whose test runs this suite
 */
export function passesSinkSuite(t: Test, type: SinkType, stageFor: (t: Test) => Promise<SinkStage>): void {
  t.test(`${type}: writes records in order, block by block`, async (t) => {
    const stage = await stageFor(t);
    const sink = await stage.make();
    t.equal(await opened(sink, stage), undefined, 'the target is empty');
    await sink.write(BLOCKS.slice(0, 1));
    await sink.write(BLOCKS.slice(1));
    await sink.close();
    await arrived(t, stage, BLOCKS);
  });

  t.test(`${type}: resumes after the last block on repeated starts`, async (t) => {
    const stage = await stageFor(t);
    for (const [at, block] of BLOCKS.entries()) {
      const sink = await stage.make();
      const position = await opened(sink, stage);
      t.same(position, lastWithRecords(BLOCKS.slice(0, at), position), `before block ${block.number}`);
      await sink.write(behind(position).filter(({ number }) => number <= block.number));
      await sink.close();
    }
    await arrived(t, stage, BLOCKS);
  });

  t.test(`${type}: reports the last committed position after a reopen`, async (t) => {
    const stage = await stageFor(t);
    const sink = await stage.make();
    await opened(sink, stage);
    await sink.write(BLOCKS.slice(0, 3));
    t.same(await opened(sink, stage), positionOf(BLOCKS[2] as BlockRecords));
    await sink.write(BLOCKS.slice(3));
    await sink.close();
    await sink.close();
    await arrived(t, stage, BLOCKS);
  });

  t.test(`${type}: reports an unavailable target as a transient error without side effects`, async (t) => {
    const stage = await stageFor(t);
    const first = await stage.make();
    await opened(first, stage);
    await first.write(BLOCKS.slice(0, 1));
    await first.close();
    const { sink, repair } = await stage.refused();
    const error = await sink
      .open()
      .then((position) => sink.write(behind(position)))
      .catch((thrown: unknown) => thrown);
    t.ok(error instanceof Error, 'an error is thrown');
    t.notOk(error instanceof SinkError, 'the error needs no operator');
    const next = await repair();
    const position = await opened(next, stage);
    t.same(position, positionOf(BLOCKS[0] as BlockRecords));
    await next.write(behind(position));
    await next.close();
    await arrived(t, stage, BLOCKS);
  });

  t.test(`${type}: rejects an unreadable position permanently`, async (t) => {
    const stage = await stageFor(t);
    writeFileSync(stage.checkpointFile, 'not a position');
    const sink = await stage.make();
    await t.rejects(sink.open(), { code: 'SINK_REFUSED', message: /is not a valid checkpoint/ });
    await sink.close();
  });
}

/**
 * Blocks with several records, with one record, and without records. The last block has records, because some kinds of
 * sinks store no position for a block without records.
 */
const BLOCKS: readonly BlockRecords[] = [2, 0, 1, 3].map((count, at) => ({
  seq: at * 2 + 1,
  number: at + 1,
  id: String(at + 1).padStart(64, '0'),
  parentId: String(at).padStart(64, '0'),
  readAt: 0,
  records: Array.from({ length: count }, (_, index) => ({
    trigger: 'transaction' as const,
    key: `key ${at} ${index}`,
    payload: `{"timeStamp":${at * 3000},"transactionId":"ü ${at + 1}/${index}"}`,
  })),
}));

function behind(position: { readonly number: number } | undefined): readonly BlockRecords[] {
  return BLOCKS.filter(({ number }) => number > (position?.number ?? 0));
}

/**
 * Returns the position of the newest block if the sink stored it. Otherwise, returns the position of the newest block
 * with records, because some kinds of sinks store no position for blocks without records.
 */
function lastWithRecords(blocks: readonly BlockRecords[], position: { readonly number: number } | undefined): unknown {
  const newest = blocks.at(-1);
  const last = newest?.number === position?.number ? newest : blocks.findLast(({ records }) => records.length > 0);
  return last && positionOf(last);
}

/** Opens a sink as the forwarder does. Retries after errors that are not a `SinkError`. */
async function opened(sink: Sink, stage: SinkStage): Promise<Awaited<ReturnType<Sink['open']>>> {
  const { position } = await until(`the opening of ${sink.name}`, () =>
    sink.open().then(
      (position) => ({ position }),
      (error: unknown) => {
        if (error instanceof SinkError) throw error;
        return undefined;
      },
    ),
  );
  await stage.ready?.();
  return position;
}

async function arrived(t: Test, stage: SinkStage, blocks: readonly BlockRecords[]): Promise<void> {
  const payloads = blocks.flatMap(({ records }) => records.map(({ payload }) => payload));
  t.same(await stage.arrived(payloads.length), payloads, 'each record once, in order');
}
