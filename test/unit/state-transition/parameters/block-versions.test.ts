import t from 'tap';
import { VERSION } from '../../../../src/state-transition/parameters/block-versions.js';

// Reference: Parameter.ForkBlockVersionEnum. As there, numbers that no release has used are missing.
t.test('has distinct versions that rise with releases', async (t) => {
  const versions = Object.values(VERSION);
  t.same(
    versions,
    [...new Set(versions)].sort((a, b) => a - b),
  );
  t.same([VERSION.ENERGY_LIMIT, VERSION.V4_0, VERSION.V4_7_2, VERSION.V4_8_2], [5, 16, 28, 36]);
});
