import t from 'tap';
import { parameterRows, parametersOf } from '../../../../src/state-transition/parameters/parameter-table.js';

t.test('has unique ids, limited to those of the release and earlier ones', async (t) => {
  const ids = parameterRows.flatMap(({ id }) => id ?? []);
  t.equal(new Set(ids).size, ids.length);
  const all = (['4.7.2', '4.8.2', '4.8.2.3'] as const).map(parametersOf);
  t.equal(all.at(-1)?.size, ids.length, 'the newest release has all parameters');
  for (const [at, newer] of all.slice(1).entries()) {
    const older = [...(all[at]?.keys() ?? [])];
    t.ok(older.length < newer.size);
    t.same(
      older.filter((id) => !newer.has(id)),
      [],
    );
  }
  t.same(
    all.map((release) => [98n, 99n].map((id) => release.has(id))),
    [
      [false, false],
      [true, false],
      [true, true],
    ],
    'hardened exchanges, then rows by slot',
  );
});

t.test('has unique configuration keys, displayed names and VM switches', async (t) => {
  for (const part of ['config', 'shown', 'rule'] as const) {
    const names = parameterRows.flatMap((row) => row[part] ?? []);
    t.equal(new Set(names).size, names.length, part);
  }
});

// These fields are optional in the type, but a parameter added after 4.7.2 needs all of them.
t.test('declares start, values and display of each parameter added after 4.7.2', async (t) => {
  const later = parameterRows.filter(({ since }) => since !== undefined);
  t.ok(later.length > 10);
  for (const { property, id, fork, values, check, shown, before } of later) {
    t.not(id, undefined, `${property}: id`);
    t.not(fork, undefined, `${property}: fork`);
    t.ok(values !== undefined || check !== undefined, `${property}: values`);
    t.not(shown, undefined, `${property}: shown`);
    const isSwitch = values?.min === 1n && values.max === 1n;
    t.equal(before?.includes('isNotOn') === true, isSwitch, `${property}: only a switch is proposed once`);
  }
  t.equal(parametersOf('4.7.2').size, 64, 'the parameters of 4.7.2 are complete');
});
