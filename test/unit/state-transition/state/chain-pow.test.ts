import t from 'tap';
import { chainPow } from '../../../../src/state-transition/state/chain-pow.js';
import { stateWith } from '../../../support/vm/state-with.js';

// The rule computes powers of 1 + k / 4096 with the exponent 2000. For some tens of k below 500, the last bit differs
// between the rounded power and that of fdlibm.
t.test('changes only the last bit of some powers with proposal 87', async (t) => {
  const [exact, strict] = [stateWith(), stateWith({ ALLOW_STRICT_MATH: 1n })].map(({ properties }) => properties);
  if (exact === undefined || strict === undefined) return;
  let different = 0;
  for (let k = 1; k < 500; k++) {
    const [a, b] = [chainPow(exact, 1 + k / 4096, 2000), chainPow(strict, 1 + k / 4096, 2000)];
    if (a !== b) different++;
    t.ok(Math.abs(a - b) <= a * 2 ** -52, `${k}`);
  }
  t.ok(different > 0 && different < 100, `${different} differ`);
});
