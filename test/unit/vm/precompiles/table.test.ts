import t from 'tap';
import { readRuleSet } from '../../../../src/vm/machine/rule-set.js';
import { findPrecompile, precompileRows } from '../../../../src/vm/precompiles/table.js';
import { worldWith } from '../../../support/vm/vm-world.js';

const all = readRuleSet(
  worldWith([], { properties: { UNFREEZE_DELAY_DAYS: 14n, ALLOW_SHIELDED_TRC20_TRANSACTION: 1n } }),
);
const none = readRuleSet(worldWith([], { switches: [] }));

t.test('selects a precompile by the complete word if its switch is on', async (t) => {
  for (const [address, precompile, since] of precompileRows) {
    t.equal(findPrecompile(BigInt(address), all), precompile, address.toString(16));
    t.equal(findPrecompile(BigInt(address), none), since === undefined ? precompile : undefined, address.toString(16));
  }
  t.equal(findPrecompile((0x41n << 160n) | 1n, all), undefined, 'not by the last 20 bytes alone');
  t.same(
    [findPrecompile(0n, all), findPrecompile(0x0bn, all), findPrecompile(1n << 200n, all)],
    [undefined, undefined, undefined],
  );
});
