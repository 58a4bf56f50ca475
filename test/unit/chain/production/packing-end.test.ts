import t from 'tap';
import { packingEnd } from '../../../../src/chain/production/packing-end.js';

// Reference: DposTask.produceBlock. Packing ends at a fixed time of the slot, even if the production started late.
t.test('stops packing at a fixed time of the slot', async (t) => {
  const late = { startMs: 3000, productionStartMs: 3600, slotMs: 3000, percent: 50 };
  t.equal(packingEnd({ ...late, hasFullTime: false }), 3750);
  t.equal(packingEnd({ ...late, productionStartMs: 5000, hasFullTime: false }), 3750, 'no time is left');
  t.equal(packingEnd({ ...late, percent: 100, productionStartMs: 2950, hasFullTime: false }), 4500);
});

t.test('with hasFullTime, a late start does not shorten the packing time', async (t) => {
  const late = { startMs: 3000, productionStartMs: 3600, slotMs: 3000, percent: 50, hasFullTime: true };
  t.equal(packingEnd(late), 4350);
  t.equal(packingEnd({ ...late, productionStartMs: 2950 }), 3750);
  t.equal(packingEnd({ ...late, slotMs: 200 }), 3650, 'half of half a slot of 200 ms');
});
