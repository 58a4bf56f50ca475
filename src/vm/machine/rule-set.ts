import { hasPassed } from '../../state-transition/consensus/fork-versions.js';
import { VERSION } from '../../state-transition/parameters/block-versions.js';
import { parameterRows, type RuleName } from '../../state-transition/parameters/parameter-table.js';
import type { LongProperty } from '../../state-transition/parameters/property-table.js';
import type { PropertyWatch } from '../../state-transition/state/properties.js';
import type { State } from '../../state-transition/state/state.js';

/**
 * Name of a rule: a chain parameter or the energy limit fork enables it. Rows of the opcode and precompile tables
 * refer to this name.
 */
export type Switch = RuleName | 'energyLimitFork';

/**
 * Rules in force for a transaction: one switch for each chain parameter with a `rule`, and `energyLimitFork`. The
 * energy limit fork is in force after the block `enery.limit.block.num`. The newer energy limit then applies, and a
 * failed call reverts its storage writes too. Reference: VMConfig, ConfigLoader.
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

/**
 * Chain properties that contain the values of the switches. The energy limit fork has no property, because it depends
 * on the block number.
 */
const switchProperties: readonly LongProperty[] = parameterRows.flatMap(({ rule, property }) =>
  rule === undefined ? [] : [property],
);

/** Names of all switches. */
export const switchNames: readonly Switch[] = switchRows.map(({ name }) => name);

/**
 * Cache of rule sets. Each bit of the key is the value of one switch. A chain uses a few dozen rule sets during its
 * lifetime.
 */
const known = new Map<number, RuleSet>();

/**
 * Rule set that was last read from a state. Cached, because every transaction reads the rules, but only approved
 * proposals change them.
 */
interface LastRead {
  readonly properties: PropertyWatch;
  rules: RuleSet;
}
const lastReads = new WeakMap<State, LastRead>();

/** Returns the rules of a state. Returns the same object for equal rules, so that caches can use the object as key. */
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
    // The cast is safe, because the rows define exactly the names in `Switch`.
    rules = Object.fromEntries(switchRows.map(({ name, isOn }) => [name, isOn(state)])) as RuleSet;
    known.set(bits, rules);
  }
  return rules;
}
