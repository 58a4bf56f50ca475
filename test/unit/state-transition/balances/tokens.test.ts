import t from 'tap';
import { setTokenBalance, tokenBalances } from '../../../../src/state-transition/balances/tokens.js';
import type { State } from '../../../../src/state-transition/state/state.js';
import { keepUnflushedRows } from '../../../../src/state-transition/state/unflushed-rows.js';
import { addAccount, addressOf, stateWith } from '../../../support/vm/state-with.js';

const HOLDER_FILL = 0x0a;
const HOLDER = addressOf(HOLDER_FILL);
const TOKEN = '1000001';

/** Returns a state with an account whose token balances are in rows of their own. */
function stateOf(amount: bigint): State {
  const state = stateWith({
    ALLOW_ASSET_OPTIMIZATION: 1n,
    ALLOW_SAME_TOKEN_NAME: 1n,
    latest_block_header_number: 100n,
  });
  addAccount(state, HOLDER_FILL);
  set(state, amount);
  block(state, 90n);
  return state;
}

function set(state: State, amount: bigint): void {
  setTokenBalance(state, HOLDER, state.accountToWrite(HOLDER)!, TOKEN, amount);
}

/** Executes `work` in a block. @param solidified solidified height after the block */
function block(state: State, solidified: bigint, work: () => void = () => {}): void {
  const mark = state.mark();
  work();
  state.properties.set('LATEST_SOLIDIFIED_BLOCK_NUM', solidified);
  keepUnflushedRows(state, mark);
  state.properties.set('latest_block_header_number', state.blockNumber);
}

const balances = (state: State): object => Object.fromEntries(tokenBalances(state, HOLDER, state.account(HOLDER)!));

t.test('keeps a balance of 0 visible until its block is solidified', async (t) => {
  const state = stateOf(5n);
  t.same(balances(state), { [TOKEN]: 5n });
  block(state, 91n, () => set(state, 0n));
  t.same(balances(state), { [TOKEN]: 0n });
  block(state, 101n);
  t.same(balances(state), { [TOKEN]: 0n });
  block(state, 102n);
  t.same(balances(state), {});
  t.same([...state.zeroTokens.range()], []);
});

t.test('keeps a balance of 0 visible after another write of the account', async (t) => {
  const state = stateOf(5n);
  block(state, 91n, () => set(state, 0n));
  block(state, 92n, () => state.accountToWrite(HOLDER)!.balance++);
  block(state, 102n);
  t.same(balances(state), { [TOKEN]: 0n });
  block(state, 103n, () => {
    const before = state.mark();
    state.accountToWrite(HOLDER)!.balance++;
    state.revertTo(before);
  });
  t.same(balances(state), {}, 'a reverted change is not written');
});

t.test('removes a balance of 0 with the account, with a new amount or on rollback', async (t) => {
  const state = stateOf(5n);
  const before = state.mark();
  set(state, 0n);
  state.revertTo(before);
  t.same(balances(state), { [TOKEN]: 5n });
  set(state, 0n);
  set(state, 7n);
  t.same(balances(state), { [TOKEN]: 7n });
  set(state, 0n);
  state.deleteAccount(HOLDER);
  t.same([...state.zeroTokens.range()], []);
});

t.test('removes balances of 0 from the account row with the others', async (t) => {
  const state = stateWith({ ALLOW_SAME_TOKEN_NAME: 1n });
  addAccount(state, HOLDER_FILL, 0n, { [TOKEN]: 0n });
  state.properties.set('ALLOW_ASSET_OPTIMIZATION', 1n);
  state.accountToWrite(HOLDER);
  t.same(balances(state), { [TOKEN]: 0n });
});
