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

interface SwitchRow {
  readonly name: Switch;
  readonly isOn: (state: State) => boolean;
}

const switchRows: readonly SwitchRow[] = [
  { name: 'energyLimitFork', isOn: (state) => hasPassed(state, VERSION.ENERGY_LIMIT) },
  ...parameterRows.flatMap(({ rule, property, values }): readonly SwitchRow[] => {
    if (rule === undefined) return [];
    if (values?.max === 1n) return [{ name: rule, isOn: ({ properties }) => properties.isOn(property) }];
    return [{ name: rule, isOn: ({ properties }) => properties.get(property) > 0n }];
  }),
];

/** Every switch. */
export const switchNames: readonly Switch[] = switchRows.map(({ name }) => name);

/** Rule sets that were met, by their switches as the bits of a number: a chain sees a few dozens in its life. */
const known = new Map<number, RuleSet>();

/** The rules of a state. The same switches are the same object, so that what is made for rules can be found by them. */
export function readRuleSet(state: State): RuleSet {
  let bits = 0;
  for (const { isOn } of switchRows) bits = bits * 2 + (isOn(state) ? 1 : 0);
  let rules = known.get(bits);
  if (rules === undefined) {
    // Each name of the type is that of a row.
    rules = Object.fromEntries(switchRows.map(({ name, isOn }) => [name, isOn(state)])) as RuleSet;
    known.set(bits, rules);
  }
  return rules;
}
