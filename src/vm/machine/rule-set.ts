import { hasPassed } from '../../state-transition/consensus/fork-versions.js';
import { VERSION } from '../../state-transition/parameters/block-versions.js';
import { parameterRows, type RuleName } from '../../state-transition/parameters/parameter-table.js';
import type { LongProperty } from '../../state-transition/parameters/property-table.js';
import type { PropertyWatch } from '../../state-transition/state/properties.js';
import type { State } from '../../state-transition/state/state.js';

/** A switch that rows of the tables ask for. */
export type Switch = RuleName | 'energyLimitFork';

/**
 * The switches of the committee as a program sees them, one for each row of the parameters that has a
 * `rule`: read once for each transaction. `energyLimitFork`: energy limits by the newer rule, storage undone with the
 * call that wrote it (`enery.limit.block.num`). Reference: VMConfig, ConfigLoader.
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

/** What they are read from, beside the energy limit fork. */
const switchProperties: readonly LongProperty[] = parameterRows.flatMap(({ rule, property }) =>
  rule === undefined ? [] : [property],
);

/** Every switch. */
export const switchNames: readonly Switch[] = switchRows.map(({ name }) => name);

/** Rule sets that were met, by their switches as the bits of a number: a chain sees a few dozens in its life. */
const known = new Map<number, RuleSet>();

/** What a state's rules were last read from: they change with a vote, and are asked for by each transaction. */
interface LastRead {
  readonly properties: PropertyWatch;
  rules: RuleSet;
}
const lastReads = new WeakMap<State, LastRead>();

/** The rules of a state. The same switches are the same object, so that what is made for rules can be found by them. */
export function readRuleSet(state: State): RuleSet {
  const last = lastReads.get(state);
  if (last === undefined) {
    const properties = state.properties.watch(switchProperties);
    properties.hasChanged();
    const rules = readAll(state);
    lastReads.set(state, { properties, rules });
    return rules;
  }
  const isFork = hasPassed(state, VERSION.ENERGY_LIMIT);
  if (last.properties.hasChanged() || last.rules.energyLimitFork !== isFork) last.rules = readAll(state);
  return last.rules;
}

function readAll(state: State): RuleSet {
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
