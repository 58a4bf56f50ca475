import t from 'tap';
import { readRuleSet } from '../../../../src/vm/machine/rule-set.js';
import { worldWith } from '../../../support/vm/vm-world.js';

t.test('a switch follows its property', async (t) => {
  const state = worldWith([], { switches: [] });
  t.notOk(readRuleSet(state).cancun);
  t.notOk(readRuleSet(state).freezeV2);
  state.properties.set('ALLOW_TVM_CANCUN', 1n);
  state.properties.set('UNFREEZE_DELAY_DAYS', 14n);
  const rules = readRuleSet(state);
  t.ok(rules.cancun);
  t.ok(rules.freezeV2, 'a number above 0 switches as well');
  t.notOk(rules.osaka, 'the others stay');
});

t.test('the same switches are the same object', async (t) => {
  const state = worldWith([]);
  const rules = readRuleSet(state);
  state.properties.set('ENERGY_FEE', 420n);
  t.equal(readRuleSet(state), rules, 'what is no switch does not count');
  state.properties.set('ALLOW_TVM_OSAKA', 0n);
  t.not(readRuleSet(state), rules);
  state.properties.set('ALLOW_TVM_OSAKA', 1n);
  t.equal(readRuleSet(state), rules);
});
