import t from 'tap';
import { parameterRows } from '../../../../src/state-transition/parameters/parameter-table.js';
import { propertyRows } from '../../../../src/state-transition/parameters/property-table.js';

t.test('has one row for every property, including committee properties', async (t) => {
  const names = propertyRows.map(([name]) => name);
  t.equal(new Set(names).size, names.length);
  for (const { property } of parameterRows) t.ok(names.includes(property), property);
});

t.test('writes genesis values in the format of the table', async (t) => {
  for (const [name, form, initial] of propertyRows) {
    if (initial === undefined) continue;
    t.equal(typeof initial === 'bigint', form !== 'bytes', name);
    if (form === 'int32' && typeof initial === 'bigint') t.equal(BigInt.asIntN(32, initial), initial, name);
  }
});
