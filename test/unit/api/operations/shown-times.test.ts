import t from 'tap';
import type { ChainView } from '../../../../src/api/context/api-context.js';
import { account } from '../../../../src/api/operations/accounts.js';
import { release472 } from '../../../../src/state-transition/releases/release-4.7.2.js';
import { addAccount, bytesOf, stateWith } from '../../../support/vm/state-with.js';

const FILL = 0x0a;

t.test('shows the slot in which an account last used bandwidth as a time', async (t) => {
  const shown = (slotMs: number): bigint | undefined => {
    const state = stateWith({}, release472, { slotMs });
    addAccount(state, FILL).latestConsumeTime = 7n;
    return account({ state, headNumber: 1 } as unknown as ChainView, bytesOf(FILL))?.latestConsumeTime;
  };
  t.equal(shown(3000), 21_000n);
  t.equal(shown(200), 1400n);
});
