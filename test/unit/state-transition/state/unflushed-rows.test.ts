import t from 'tap';
import { newAccount, type State } from '../../../../src/state-transition/state/state.js';
import { keepUnflushedRows } from '../../../../src/state-transition/state/unflushed-rows.js';
import { addAccount, addressOf, stateWith } from '../../../support/vm/state-with.js';

const MADE = addressOf(0x0a);
const OLD = addressOf(0x0b);

/** Returns a state after block 100. One account was stored before the asset optimization was enabled. */
function stateBehind100(): State {
  const state = stateWith({ latest_block_header_number: 100n, LATEST_SOLIDIFIED_BLOCK_NUM: 90n });
  addAccount(state, 0x0b);
  state.properties.set('ALLOW_ASSET_OPTIMIZATION', 1n);
  return state;
}

const make = (state: State): void => state.putAccount(MADE, newAccount(MADE, {}));
const write = (state: State): unknown => state.accountToWrite(MADE);

/**
 * Executes `work` in a block.
 * @param solidified solidified height after the block
 * @returns accounts that are only in memory
 */
function block(state: State, solidified: bigint, work?: (state: State) => unknown): object {
  const begin = state.mark();
  work?.(state);
  state.properties.set('LATEST_SOLIDIFIED_BLOCK_NUM', solidified);
  keepUnflushedRows(state, begin);
  state.properties.set('latest_block_header_number', state.blockNumber);
  return inMemory(state);
}

const inMemory = (state: State): object => Object.fromEntries(state.unflushedAccounts.range());

// Reference: SnapshotRoot.processAccount. It sets a flag in the row of an account whose tokens are stored separately.
t.test('keeps a new account in memory until its block is solidified', async (t) => {
  const state = stateBehind100();
  t.same(block(state, 91n, make), { [MADE]: 101n });
  t.same(block(state, 100n), { [MADE]: 101n });
  t.same(block(state, 101n), {});
  t.same(block(state, 102n, write), {}, 'the stored row is used after the flush');
});

t.test('keeps an account in memory longer if it is written again before it is solidified', async (t) => {
  const state = stateBehind100();
  block(state, 91n, make);
  t.same(block(state, 101n, write), { [MADE]: 102n });
  t.same(block(state, 101n, write), { [MADE]: 103n });
  t.same(block(state, 102n, write), { [MADE]: 104n });
  t.same(block(state, 104n), {});
});

t.test('treats an account older than the asset optimization as new at its first write', async (t) => {
  const state = stateBehind100();
  t.same(
    block(state, 91n, () => state.accountToWrite(OLD)),
    { [OLD]: 101n },
  );
  t.same(block(state, 101n), {});
});

t.test('an account is no longer unflushed once its block was flushed, also on another branch', async (t) => {
  const state = stateBehind100();
  let flushed = 99;
  state.flushedNumber = () => flushed;
  block(state, 91n, make);
  t.same(block(state, 101n, write), { [MADE]: 102n }, 'solidified, but not flushed yet');
  flushed = 102;
  t.same(block(state, 91n, write), {}, 'flushed, although this branch has a lower solidified block');
  block(state, 91n, make);
  t.same(block(state, 104n), { [MADE]: 104n });
  flushed = 104;
  t.same(block(state, 104n), {});
});

t.test('drops an unflushed account when it is deleted, and restores it when the deletion is reverted', async (t) => {
  const state = stateBehind100();
  block(state, 91n, make);
  const mark = state.mark();
  state.deleteAccount(MADE);
  t.same(inMemory(state), {});
  make(state);
  t.same(inMemory(state), { [MADE]: 102n }, 'another account with the same address');
  state.revertTo(mark);
  t.same(inMemory(state), { [MADE]: 101n });
});

t.test('keeps no unflushed account while the asset optimization is off', async (t) => {
  const state = stateWith();
  t.same(block(state, 0n, make), {});
});
