import { present } from '../../primitives/assert.js';
import type { Ledger } from '../../projections/ledger/ledger.js';
import { readBlockEntry } from './block-content.js';
import { belowHead, type LogMove, type LogMovesOptions, logMoves } from './log-moves.js';

/**
 * Yields the chain after `after` for a late consumer. Up to `floor` it yields only canonical blocks, each once. Such a
 * block is applied and solidified at the same time, with the current solidified number. After `floor` it yields every
 * log entry.
 * Reference: HistoryEventService.syncEvent. @throws {UndoneBlockError | TronError} SEQ_UNKNOWN
 */
export async function* movesSince(options: LogMovesOptions): AsyncGenerator<LogMove> {
  const { ledger, after, floor, signal } = options;
  const isPast = after !== undefined && floor !== undefined && after.number < floor.number;
  if (isPast) {
    for (let number = after.number + 1; number <= floor.number; number++) {
      if (signal?.aborted === true) return;
      yield pastMove(ledger, number);
    }
  }
  yield* logMoves(isPast ? { ...options, after: floor } : options);
}

function pastMove(ledger: Ledger, number: number): LogMove {
  const content = readBlockEntry(ledger, present(ledger.block(number), 'the log contains every solidified block'));
  const { solidifiedNumber, headNumber } = ledger.position;
  const now = belowHead(solidifiedNumber, headNumber);
  const block = { ...content, solidifiedNumber: now, solidifiedBefore: now };
  return { change: 'applied', seq: block.seq, number, id: block.id, block, solid: [block] };
}
