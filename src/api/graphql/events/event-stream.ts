import { logCut } from '../../../log/log-damage.js';
import type { LogEntry } from '../../../log/log-entry.js';
import { present } from '../../../primitives/assert.js';
import { equalBytes } from '../../../primitives/bytes.js';
import type { ReadBlock } from '../../context/read-block.js';
import { graphqlError } from '../graphql-errors.js';
import type { GraphqlSource } from '../graphql-source.js';
import { decodeEventCursor, type EventPosition, encodeEventCursor } from './event-cursor.js';
import type { LogTail } from './log-tail.js';

export type EventKind = 'APPLIED' | 'REVERTED' | 'SOLIDIFIED';
export type EventFinality = 'APPLIED' | 'SOLIDIFIED';

/** An event of a subscription and its cursor. */
export interface StreamEvent<T> {
  readonly cursor: string;
  readonly kind: EventKind;
  readonly item: T;
}

interface EventStreamOptions<T> {
  readonly source: GraphqlSource;
  readonly tail: LogTail;
  readonly finality: EventFinality;
  /** Cursor of the last received event. Without a cursor, the stream starts with the next event. */
  readonly after?: string | null | undefined;
  /** Returns the items of a block, in order. Every call must return the same items. */
  select(block: ReadBlock): readonly T[];
}

/**
 * Events of a subscription, read one at a time when the client is ready. Between two events, only a position in the
 * block log is stored. The events depend only on the block log, so a stream that resumes from a cursor has no gap.
 */
export class EventStream<T> implements AsyncIterableIterator<StreamEvent<T>> {
  private readonly options: EventStreamOptions<T>;
  /** The events of each block. */
  private readonly blocks: AsyncGenerator<Iterator<StreamEvent<T>>>;
  /** Events of the current block that are not sent yet. */
  private events: Iterator<StreamEvent<T>> = [][Symbol.iterator]();
  private readonly ended = new AbortController();
  private position: EventPosition;
  private solidId: Uint8Array | undefined;

  /**
   * Creates a stream.
   * @throws {GraphQLError} BAD_CURSOR: the cursor is malformed, or belongs to the stream with a different finality
   */
  constructor(options: EventStreamOptions<T>) {
    this.options = options;
    const { source, finality, after } = options;
    const kind = finality === 'APPLIED' ? 'applied' : 'solidified';
    const { storedSeq } = source.ledger;
    const position = after
      ? decodeEventCursor(after, kind)
      : { kind: 'any' as const, seq: storedSeq, number: 0, count: 0 };
    if (position.seq > storedSeq) {
      throw graphqlError(
        'BAD_CURSOR',
        `cursor is at log entry ${position.seq}, but the log of this node ends at entry ${storedSeq}; use a cursor of this node`,
      );
    }
    this.position = position;
    this.blocks = finality === 'APPLIED' ? this.applied() : this.solidified();
  }

  /**
   * Cursor of the position after the last returned event. The cursor also moves past entries of the block log that have
   * no events for this stream.
   */
  get cursor(): string {
    return encodeEventCursor(this.position);
  }

  /** Must not be called again before the previous call has returned its event. */
  async next(): Promise<IteratorResult<StreamEvent<T>>> {
    while (!this.ended.signal.aborted && !this.options.tail.isClosed) {
      // Returns the event directly, because an asynchronous generator of single events would need several promises per
      // event.
      const event = this.events.next();
      if (event.done !== true) return event;
      const block = await this.blocks.next();
      if (block.done === true) break;
      this.events = block.value;
    }
    return { done: true, value: undefined };
  }

  async return(): Promise<IteratorResult<StreamEvent<T>>> {
    this.ended.abort();
    return { done: true, value: undefined };
  }

  async throw(): Promise<IteratorResult<StreamEvent<T>>> {
    return this.return();
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  private async *applied(): AsyncGenerator<Iterator<StreamEvent<T>>> {
    const { position } = this;
    let sent = position.kind === 'any' ? 0 : position.count;
    for await (const entry of this.entriesAfter(position)) {
      const { seq } = entry;
      if (entry.kind !== 'solidified') {
        const kind = entry.kind === 'applied' ? 'APPLIED' : 'REVERTED';
        yield this.eventsOf(this.block(entry), { kind: 'applied', seq, number: 0, count: sent }, kind);
      }
      sent = 0;
      this.position = { kind: 'any', seq, number: 0, count: 0 };
    }
  }

  private async *solidified(): AsyncGenerator<Iterator<StreamEvent<T>>> {
    const { position } = this;
    // If the last event belongs to block n, the stream reads block n again and skips the events that were already sent.
    let last = await (position.kind === 'any' ? this.solidifiedAt(position.seq) : this.heightBefore(position));
    let sent = position.kind === 'any' ? 0 : position.count;
    for await (const entry of this.entriesAfter(position)) {
      const { seq } = entry;
      if (entry.kind === 'solidified') {
        for (const id of await this.idsSince(last, entry)) {
          const block = this.block({ id, number: last + 1 });
          const from = { kind: 'solidified', seq, number: block.number, count: sent } as const;
          yield this.eventsOf(block, from, 'SOLIDIFIED');
          sent = 0;
          last = block.number;
          this.solidId = block.id;
        }
      }
      this.position = { kind: 'any', seq, number: 0, count: 0 };
    }
  }

  /**
   * Returns the entries of the block log after a position. Includes the entry of the position itself if some of its
   * events are not sent yet.
   */
  private entriesAfter({ kind, seq }: EventPosition): AsyncGenerator<LogEntry> {
    return this.options.tail.entries(kind === 'any' ? seq + 1 : seq, this.ended.signal);
  }

  private *eventsOf(block: ReadBlock, from: EventPosition, kind: EventKind): Generator<StreamEvent<T>> {
    const items = this.options.select(block);
    for (let count = from.count; count < items.length; count++) {
      this.position = { ...from, count: count + 1 };
      yield { cursor: this.cursor, kind, item: items[count] as T };
    }
  }

  /** Returns a block. @throws {TronError} LOG_CUT: the block was pruned */
  private block({ id, number }: Pick<LogEntry, 'id' | 'number'>): ReadBlock {
    const block = this.options.source.blocks.byId(id);
    if (block !== undefined) return block;
    this.refusePruned(number);
    throw new Error('a log entry refers to a block that is not in the log');
  }

  /**
   * Checks that a block was not pruned. A `solidified` entry near the start of the log solidifies pruned blocks.
   * @throws {TronError} LOG_CUT: the block was pruned
   */
  private refusePruned(number: number): void {
    const { startNumber } = this.options.source.ledger;
    if (number <= startNumber) throw logCut(`block ${number}`, startNumber);
  }

  /**
   * Returns the height of the newest `solidified` entry up to a sequence number, but at least the height at which the
   * block log starts. The block log has no entries of imported blocks, and a bootstrap may import only some of these
   * blocks. The search reads many entries if no block became solidified for some time.
   */
  private async solidifiedAt(seq: number): Promise<number> {
    const { source, tail } = this.options;
    const start = source.ledger.base?.number ?? 0;
    for (let at = seq; at > 0 && !this.ended.signal.aborted; at--) {
      const entry = tail.entry(at);
      if (entry.kind === 'solidified') return Math.max(start, entry.number);
      await tail.yieldIfOver();
    }
    return start;
  }

  /**
   * Returns the height below the block of a cursor.
   * @throws {GraphQLError} BAD_CURSOR: the entry of the cursor has not solidified the block. Without this check, a
   * client could make the stream read all blocks above any height in one turn of the event loop
   */
  private async heightBefore({ seq, number }: EventPosition): Promise<number> {
    const entry = this.options.tail.entry(seq);
    if (entry.kind === 'solidified' && number <= entry.number && number > (await this.solidifiedAt(seq - 1)))
      return number - 1;
    throw graphqlError(
      'BAD_CURSOR',
      `log entry ${seq} of this node has not solidified block ${number}; use a cursor of this node`,
    );
  }

  /**
   * Returns the ids of the blocks above height `last` up to the block of the entry, oldest first.
   * @throws {GraphQLError} SOLIDIFIED_BLOCK_UNDONE: the block at height `last` was reverted after its events had been
   * sent; {TronError} LOG_CUT: a block was pruned
   */
  private async idsSince(last: number, entry: LogEntry): Promise<Uint8Array[]> {
    const { source, tail } = this.options;
    const ids: Uint8Array[] = [];
    let { id } = entry;
    if (entry.number > last) this.refusePruned(last + 1);
    for (let number = entry.number; number > last && !this.ended.signal.aborted; number--) {
      ids.push(id);
      id = Uint8Array.from(present(source.ledger.entryOfId(id), 'the log has an entry for this block').parentId);
      await tail.yieldIfOver();
    }
    if (this.ended.signal.aborted) return [];
    if (ids.length > 0 && this.solidId !== undefined && !equalBytes(id, this.solidId)) {
      throw graphqlError(
        'SOLIDIFIED_BLOCK_UNDONE',
        `solidified block ${last} was reverted; the stream cannot continue`,
      );
    }
    return ids.reverse();
  }
}
