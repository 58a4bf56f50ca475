import t from 'tap';
import { IdleClock } from '../../../../src/p2p/peers/idle-clock.js';

t.test('stops the clock during work, also when the work fails', async (t) => {
  let wall = 100;
  const waitClock = new IdleClock(() => wall);
  const before = waitClock.now();
  t.equal(
    waitClock.during(() => (wall += 50)),
    150,
  );
  t.equal(waitClock.now(), before);
  wall += 7;
  t.equal(waitClock.now(), before + 7);
  t.throws(() =>
    waitClock.during(() => {
      wall += 30;
      throw new Error('refused');
    }),
  );
  t.equal(waitClock.now(), before + 7);
});
