import t from 'tap';
import { readRuleSet } from '../../../../src/vm/machine/rule-set.js';
import { worldWith } from '../../../support/vm/vm-world.js';

t.test('reads a switch from its property', async (t) => {
  const state = worldWith([], { switches: [] });
  t.notOk(readRuleSet(state).cancun);
  t.notOk(readRuleSet(state).freezeV2);
  state.properties.set('ALLOW_TVM_CANCUN', 1n);
  state.properties.set('UNFREEZE_DELAY_DAYS', 14n);
  const rules = readRuleSet(state);
  t.ok(rules.cancun);
  t.ok(rules.freezeV2, 'a number above 0 enables a switch');
  t.notOk(rules.osaka, 'other switches are unchanged');
});

t.test('returns the same object for the same switches', async (t) => {
  const state = worldWith([]);
  const rules = readRuleSet(state);
  state.properties.set('ENERGY_FEE', 420n);
  t.equal(readRuleSet(state), rules, 'a property that is no switch is ignored');
  state.properties.set('ALLOW_TVM_OSAKA', 0n);
  t.not(readRuleSet(state), rules);
  state.properties.set('ALLOW_TVM_OSAKA', 1n);
  t.equal(readRuleSet(state), rules);
});

t.test('reads switches again after a rollback, commit or reset', async (t) => {
  const state = worldWith([], { switches: [] });
  state.commit();
  const mark = state.mark();
  t.notOk(readRuleSet(state).cancun);
  state.properties.set('ALLOW_TVM_CANCUN', 1n);
  t.ok(readRuleSet(state).cancun);
  state.revertTo(mark);
  t.notOk(readRuleSet(state).cancun, 'reverted');
  state.properties.set('ALLOW_TVM_CANCUN', 1n);
  state.commit();
  t.ok(readRuleSet(state).cancun, 'committed');
  state.reset();
  t.notOk(readRuleSet(state).cancun, 'after the reset, the store has no row');
});

t.test('enables the energy limit fork at a height', async (t) => {
  const state = worldWith([]);
  t.ok(readRuleSet(state).energyLimitFork);
  state.properties.set('latest_block_header_number', -1n);
  t.notOk(readRuleSet(state).energyLimitFork);
  state.properties.set('latest_block_header_number', 0n);
  t.ok(readRuleSet(state).energyLimitFork);
});
