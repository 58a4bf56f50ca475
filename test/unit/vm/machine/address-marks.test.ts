import t from 'tap';
import { AddressMarks } from '../../../../src/vm/machine/address-marks.js';
import { addressOf } from '../../../support/vm/state-with.js';

t.test('drops the marks of a failed call and keeps earlier ones', async (t) => {
  const marks = new AddressMarks();
  marks.add(addressOf(1));
  const before = marks.mark();
  marks.add(addressOf(1));
  marks.add(addressOf(2));
  t.same([marks.has(addressOf(1)), marks.has(addressOf(2))], [true, true]);
  marks.revertTo(before);
  t.same([marks.has(addressOf(1)), marks.has(addressOf(2))], [true, false]);
});
