import t from 'tap';
import { packingEnd } from '../../../../src/chain/production/packing-end.js';

// Reference: DposTask.produceBlock, whose time ends with the slot's, however late it begins.
t.test('stops packing at the time of the slot', async (t) => {
  const late = { slotMs: 3000, begunMs: 3600, percent: 50 };
  t.equal(packingEnd({ ...late, speed: 1 }), 3750);
  t.equal(packingEnd({ ...late, begunMs: 5000, speed: 1 }), 3750, 'what begins behind that is empty');
  t.equal(packingEnd({ ...late, percent: 100, begunMs: 2950, speed: 1 }), 4500);
});

t.test('keeps the time budget of a slow machine on an accelerated clock', async (t) => {
  t.equal(packingEnd({ slotMs: 3000, begunMs: 3600, percent: 50, speed: 15 }), 4350);
  t.equal(packingEnd({ slotMs: 3000, begunMs: 2950, percent: 50, speed: 15 }), 3750);
});
