import type { Page } from '../../log/stream/page.js';
import { present } from '../../primitives/assert.js';
import type { Ledger } from '../../projections/ledger/ledger.js';
import { readBlockEntry } from './block-content.js';
import { belowHead, type LogMove, type LogMovesOptions, logMoves } from './log-moves.js';

/**
 * Streams the chain after log entry `after` for a consumer that starts at an old block.
 * Reference: HistoryEventService.syncEvent.
 *
 * Up to `floor`, yields each canonical block once, as applied and solidified at the same time, with the current
 * solidified number. After `floor`, yields every log entry.
 * @throws {RevertedBlockError} a solidified block was reverted
 * @throws {TronError} SEQ_UNKNOWN: the log does not contain a requested entry
 */
export async function* movesSince(options: LogMovesOptions): AsyncGenerator<Page<LogMove>> {
  const { ledger, after, floor, signal } = options;
  const isPast = after !== undefined && floor !== undefined && after.number < floor.number;
  if (isPast) yield { items: pastMoves(ledger, after.number + 1, floor.number, signal), isNewest: false };
  if (signal?.aborted === true) return;
  yield* logMoves(isPast ? { ...options, after: floor } : options);
}

function* pastMoves(ledger: Ledger, from: number, to: number, signal?: AbortSignal): Generator<LogMove> {
  for (let number = from; number <= to && signal?.aborted !== true; number++) yield pastMove(ledger, number);
}

function pastMove(ledger: Ledger, number: number): LogMove {
  const content = readBlockEntry(ledger, present(ledger.block(number), 'the log contains every solidified block'));
  const { solidifiedNumber, headNumber } = ledger.position;
  const now = belowHead(solidifiedNumber, headNumber);
  const block = { ...content, solidifiedNumber: now, solidifiedBefore: now };
  return { change: 'applied', seq: block.seq, number, id: block.id, block, solid: [block] };
}
