import t from 'tap';
import { parameterRows } from '../../../../src/state-transition/parameters/parameter-table.js';
import { propertyRows } from '../../../../src/state-transition/parameters/property-table.js';

t.test('every property has one row, those of the committee included', async (t) => {
  const names = propertyRows.map(([name]) => name);
  t.equal(new Set(names).size, names.length);
  for (const { property } of parameterRows) t.ok(names.includes(property), property);
});

t.test('what is written at the first start fits the form', async (t) => {
  for (const [name, form, initial] of propertyRows) {
    if (initial === undefined) continue;
    t.equal(typeof initial === 'bigint', form !== 'bytes', name);
    if (form === 'int32' && typeof initial === 'bigint') t.equal(BigInt.asIntN(32, initial), initial, name);
  }
});
