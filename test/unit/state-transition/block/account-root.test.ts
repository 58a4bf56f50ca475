import t from 'tap';
import { toHex } from '../../../../src/primitives/bytes.js';
import { AccountRoot } from '../../../../src/state-transition/block/account-root.js';
import { addAccount, addressOf, stateWith } from '../../../support/vm/state-with.js';

const ON = { ALLOW_ACCOUNT_STATE_ROOT: 1n };

/** Returns the account root after a block with one transaction. `change` is the effect of the transaction. */
function rootAfter(change: (state: ReturnType<typeof stateWith>) => void): string {
  const state = stateWith(ON);
  addAccount(state, 0x11, 5n);
  addAccount(state, 0x22, 7n);
  const root = AccountRoot.begin(state, () => new Uint8Array(0))!;
  const mark = state.mark();
  change(state);
  root.take(mark);
  return toHex(root.finish());
}

/**
 * Reference: AccountStore.put notifies AccountStateCallBack, but AccountStore.delete does not. The expected roots are
 * those of java-tron 4.7.2.
 */
t.test('keeps a self-destructed account as it was last stored', async (t) => {
  const sends = (state: ReturnType<typeof stateWith>): void => {
    state.existingAccountToWrite(addressOf(0x11)).balance -= 5n;
    state.existingAccountToWrite(addressOf(0x22)).balance += 5n;
  };
  const destroyed = rootAfter((state) => {
    sends(state);
    state.deleteAccount(addressOf(0x11));
  });
  t.equal(destroyed, rootAfter(sends));
  t.not(
    destroyed,
    rootAfter((state) => {
      state.existingAccountToWrite(addressOf(0x22)).balance += 5n;
    }),
  );
});

t.test('omits an account that was deleted before the trie stored it', async (t) => {
  const deleted = rootAfter((state) => state.deleteAccount(addressOf(0x11)));
  t.equal(
    deleted,
    rootAfter(() => undefined),
  );
});

t.test('keeps the earlier deletion if a later one is reverted', async (t) => {
  const first = (state: ReturnType<typeof stateWith>): void => {
    state.existingAccountToWrite(addressOf(0x11)).balance = 3n;
    state.deleteAccount(addressOf(0x11));
  };
  const again = rootAfter((state) => {
    first(state);
    const inner = state.mark();
    addAccount(state, 0x11, 9n);
    state.deleteAccount(addressOf(0x11));
    state.revertTo(inner);
  });
  t.equal(again, rootAfter(first));
  const undone = rootAfter((state) => {
    const inner = state.mark();
    first(state);
    state.revertTo(inner);
  });
  t.equal(
    undone,
    rootAfter(() => undefined),
  );
});
