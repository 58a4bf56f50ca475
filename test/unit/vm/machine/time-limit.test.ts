import t from 'tap';
import { Deadline } from '../../../../src/primitives/deadline.js';
import { TimeLimit } from '../../../../src/vm/machine/time-limit.js';

t.test('expires after its deadline, not at it', async (t) => {
  let now = 1000;
  const limit = new TimeLimit(new Deadline(1050, () => now));
  t.equal(limit.leftMs(), 50);
  now = 1050;
  t.notOk(limit.isOver());
  now = 1051;
  t.ok(limit.isOver());
});

t.test('bounds the granted extra time by one second in total', async (t) => {
  let now = 0;
  const limit = new TimeLimit(new Deadline(50, () => now));
  limit.grant(400);
  t.equal(limit.leftMs(), 450);
  limit.grant(400);
  limit.grant(400);
  t.equal(limit.leftMs(), 1050, 'the last grant is reduced');
  limit.grant(1);
  now = 1051;
  t.ok(limit.isOver());
});
