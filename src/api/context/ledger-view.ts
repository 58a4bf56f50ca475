import type { Ledger } from '../../projections/ledger/ledger.js';
import type { State } from '../../state-transition/state/state.js';
import type { ChainView } from './api-context.js';

/**
 * Returns the view of a state, with the blocks of a ledger up to the height of the state. The view has no pending
 * transactions.
 * @param answerBytesMax maximum size in bytes of the blocks from which one answer is created; undefined means no limit
 */
export function viewOfLedger(ledger: Ledger, state: State, headNumber: number, answerBytesMax?: number): ChainView {
  return {
    answerBytesMax,
    state,
    headNumber,
    block: (number) => (number > headNumber ? undefined : ledger.block(number)),
    blockIdAt: (number) => (number > headNumber ? undefined : ledger.blockIdAt(number)),
    numberOf: (id) => {
      const number = ledger.numberOf(id);
      return number === undefined || number > headNumber ? undefined : number;
    },
    transactionAt: (id) => {
      const position = ledger.transactionAt(id);
      return position === undefined || position.number > headNumber ? undefined : position;
    },
    pendingTransaction: () => undefined,
    recentKeys: () => [],
  };
}
