import { type Batch, inBatches } from '../../log/stream/in-batches.js';
import { mapPages, type Page } from '../../log/stream/page.js';
import { readAhead } from '../../log/stream/read-ahead.js';
import type { Ledger } from '../../projections/ledger/ledger.js';
import { LOG_TRIGGER_TOPIC } from '../event-kinds.js';
import type { BlockPosition } from '../follow/block-position.js';
import { movesSince } from '../follow/past-moves.js';
import { type SolidBlock, solidifiedBlocks } from '../follow/solid-blocks.js';
import type { BlockRecords } from '../records/event-record.js';
import { logEntries } from '../records/log-entries.js';
import type { RecordMaker } from '../records/record-maker.js';
import type { Sink } from '../sinks/sink.js';
import { CatchUpThrottle } from './catch-up-throttle.js';
import type { SinkExtent, Start } from './resumption.js';

/**
 * Maximum number of blocks in a batch. Blocks without records need little memory, but the status must be updated
 * regularly.
 */
const BATCH_BLOCKS_MAX = 2000;

export class RecordBatch implements Batch<BlockRecords> {
  readonly blocks: BlockRecords[] = [];
  private readonly limits: Sink['batch'];
  private records = 0;
  private bytes = 0;

  constructor({ batch }: Pick<Sink, 'batch'>) {
    this.limits = batch;
  }

  get isFull(): boolean {
    const { limits, records, bytes, blocks } = this;
    return records >= limits.records || bytes >= limits.bytes || blocks.length >= BATCH_BLOCKS_MAX;
  }

  add(block: BlockRecords): void {
    this.blocks.push(block);
    this.records += block.records.length;
    for (const { payload } of block.records) this.bytes += payload.length;
  }
}

interface BatchOptions {
  readonly ledger: Ledger;
  readonly sink: Pick<Sink, 'batch'>;
  readonly maker: RecordMaker;
  readonly extent?: SinkExtent;
  /** Signal that ends the stream immediately. */
  readonly signal: AbortSignal;
  /** Signal that ends the pauses that {@link CatchUpThrottle} adds during a catch-up. */
  readonly drain: AbortSignal;
  /** Signal that ends the stream at the newest entry. */
  readonly drained: AbortSignal;
}

/**
 * Returns a function that streams the batches after a position. The next batch is created while the sink writes the
 * previous one.
 *
 * During a catch-up, the stream pauses between batches, so that block execution has priority. After a pause, a batch
 * contains more blocks. Fewer batches also need less work, for example fewer Kafka transactions.
 */
export function batchesAfter(options: BatchOptions, start: Start): (ended: AbortSignal) => AsyncGenerator<RecordBatch> {
  const { sink, ledger, drain } = options;
  return (ended) => {
    const signal = AbortSignal.any([options.signal, ended]);
    const endsPause = AbortSignal.any([signal, drain]);
    const throttle = new CatchUpThrottle(ledger);
    let last: RecordBatch | undefined;
    const begin = async (): Promise<RecordBatch> => {
      const { number } = last?.blocks.at(-1) ?? start.after ?? { number: -1 };
      await throttle.pause(number, endsPause);
      last = new RecordBatch(sink);
      return last;
    };
    return readAhead(inBatches(recordsAfter({ ...options, signal }, start), begin));
  };
}

/** Streams the records after a position, by block or by log entry. */
function recordsAfter(options: BatchOptions, { after, floor }: Start): AsyncGenerator<Page<BlockRecords>> {
  const { ledger, maker, signal, drained, extent: { topics, finality, to } = {} } = options;
  const range = { ledger, after, signal, drain: drained };
  if (topics?.includes(LOG_TRIGGER_TOPIC)) return logEntries(range);
  if (finality === 'applied') {
    return mapPages(movesSince({ ...range, floor, form: maker.form }), async function* (moves) {
      for await (const move of moves) yield maker.recordsOfMove(move);
    });
  }
  const blocks = upTo(to, after, solidifiedBlocks(range));
  return mapPages(blocks, async function* (page) {
    for await (const block of page) {
      await maker.prepare(block, signal);
      yield maker.recordsOf(block);
    }
  });
}

/** Ends a stream of solidified blocks after the block at `height`. Without a height, the stream does not end. */
async function* upTo(
  height: number | undefined,
  after: BlockPosition | undefined,
  pages: AsyncGenerator<Page<SolidBlock>>,
): AsyncGenerator<Page<SolidBlock>> {
  if (height === undefined) return yield* pages;
  let last = after?.number ?? -1;
  const blocksOf = async function* (page: Page<SolidBlock>['items']): AsyncGenerator<SolidBlock> {
    for await (const block of page) {
      last = block.entry.number;
      yield block;
      if (last === height) return;
    }
  };
  if (last >= height) return;
  for await (const { items, isNewest } of pages) {
    yield { items: blocksOf(items), isNewest };
    if (last >= height) return;
  }
}
