import t from 'tap';
import { Patience } from '../../../../src/p2p/peers/wait-clock.js';

t.test('the clock stands still during work, also when the work fails', async (t) => {
  let wall = 100;
  const patience = new Patience(() => wall);
  const before = patience.now();
  t.equal(
    patience.during(() => (wall += 50)),
    150,
  );
  t.equal(patience.now(), before);
  wall += 7;
  t.equal(patience.now(), before + 7);
  t.throws(() =>
    patience.during(() => {
      wall += 30;
      throw new Error('refused');
    }),
  );
  t.equal(patience.now(), before + 7);
});
