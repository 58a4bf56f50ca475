import { hasPassed } from '../consensus/fork-versions.js';
import { VERSION } from '../parameters/block-versions.js';
import { parameterRows, type RuleName } from '../parameters/parameter-table.js';
import type { State } from '../state/state.js';

/** A switch that rows of the tables ask for. */
export type Switch = RuleName | 'energyLimitFork';

/**
 * The switches of the committee as a program sees them, one for each row of the parameters that has a `rule`: read once for each
 * transaction. `energyLimitFork`: energy limits by the newer rule, storage undone with the call that wrote it
 * (`enery.limit.block.num`). Reference: VMConfig, ConfigLoader.
 */
export type RuleSet = Readonly<Record<Switch, boolean>>;

const ruleRows = parameterRows.flatMap(({ rule, property, values }) =>
  rule === undefined ? [] : [{ rule, property, isSwitch: values?.max === 1n }],
);

export function readRuleSet(state: State): RuleSet {
  const { properties } = state;
  const rules: Partial<Record<Switch, boolean>> = { energyLimitFork: hasPassed(state, VERSION.ENERGY_LIMIT) };
  for (const { rule, property, isSwitch } of ruleRows) {
    rules[rule] = isSwitch ? properties.isOn(property) : properties.get(property) > 0n;
  }
  // Each name of the type is that of a row.
  return rules as RuleSet;
}
