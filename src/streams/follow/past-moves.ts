import { present } from '../../primitives/assert.js';
import type { Ledger } from '../../projections/ledger/ledger.js';
import { readBlockEntry } from './block-content.js';
import { belowHead, type LogMove, type LogMovesOptions, logMoves } from './log-moves.js';

/**
 * The chain after `after` for somebody who comes late: up to `floor` its irreversible blocks as it has them now, none
 * that was taken back, each irreversible as soon as it is told and with what is irreversible today; behind `floor`
 * every entry of the log.
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
  const content = readBlockEntry(ledger, present(ledger.block(number), 'the log holds what is irreversible'));
  const { solidifiedNumber, headNumber } = ledger.position;
  const now = belowHead(solidifiedNumber, headNumber);
  const block = { ...content, solidifiedNumber: now, solidifiedBefore: now };
  return { change: 'applied', seq: block.seq, number, id: block.id, block, solid: [block] };
}
