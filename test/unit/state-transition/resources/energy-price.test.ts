import t from 'tap';
import { utf8 } from '../../../../src/primitives/bytes.js';
import { energyPriceAt } from '../../../../src/state-transition/resources/energy-price.js';

// Reference: Wallet.getEnergyFee(long), JsonRpcApiUtil.parseEnergyFee.
for (const [history, timeMs, price] of [
  ['0:100', 1n, 100n],
  ['0:100', 0n, 420n],
  ['0:100,1000:10,2000:40', 2001n, 40n],
  ['0:100,1000:10,2000:40', 2000n, 10n],
  ['0:100,1000:10,2000:40', 1000n, 100n],
  ['', 5n, 420n],
] as const) {
  t.test(`returns the price for ${history || 'no history'} at ${timeMs}`, async (t) => {
    t.equal(energyPriceAt({ history: utf8(history), newest: 420n }, timeMs), price);
  });
}
