import { utf8 } from '../../../src/primitives/bytes.js';
import { storeId } from '../../../src/projections/state/stores.js';
import type { Scene } from './scene.js';

/** Values of parameters, by id, for proposals on a running chain. Parameters that are not listed are proposed as 1. */
const VALUES: Readonly<Record<number, readonly bigint[]>> = {
  0: [81_000n, 81_000n, 100_000n],
  1: [9_999_000_000n, 1_000_000n],
  2: [100_000n, 0n, 1_000_000n],
  3: [10n, 0n, 1000n, 140n],
  4: [1_024_000_000n, 10n, 0n],
  5: [32_000_000n, 16_000_000n, 1n],
  6: [115_200_000_000n, 0n, 7n],
  7: [0n, 1_000_000n, 10n],
  8: [1n, 0n, 3n],
  11: [100n, 10n, 420n, 0n],
  12: [1_024_000_000n, 10n],
  13: [50n, 80n, 100n, 400n],
  19: [50_000_000_000n, 90_000_000_000n, 1_000_000n],
  22: [100_000_000n, 1n],
  23: [1_000_000n, 5n],
  29: [1000n, 10n, 1n],
  31: [16_000_000n, 160_000_000n, 1n],
  33: [14n, 10n, 1n],
  45: [0n, 1_000_000n],
  46: [0n, 1_000_000n],
  47: [1_000_000_000n, 15_000_000_000n],
  61: [5000n, 600n, 1500n, 0n],
  62: [43_200_000_000n, 1_000_000n],
  68: [0n, 1_000_000n],
  70: [1n, 2n, 14n],
  73: [3000n, 100_000n],
  74: [2000n, 0n, 10_000n],
  75: [30_000n, 100_000n, 0n],
  78: [86_401n, 100_000n, 10_512_000n],
  82: [500n, 1000n, 10_000n],
  92: [60_000n, 1n, 300_000n],
};
const SWITCHES = [
  9, 10, 14, 15, 16, 18, 20, 21, 24, 25, 26, 30, 32, 35, 39, 41, 44, 48, 49, 51, 52, 53, 59, 60, 63, 65, 66, 67, 69, 71,
  72, 76, 77,
];
const LATER_SWITCHES = [79, 81, 83, 87, 88, 89, 94, 95, 96, 97, 98];
/** Parameters that no configuration enables. Only a vote can enable them. */
const VOTED = [77, 78];
const LATER_VOTED = [94, 95, 96, 97, 98, 82];

const OLD_REWARD_OPT = 79n;
const EFFECTIVE_CYCLE = utf8('NEW_REWARD_ALGORITHM_EFFECTIVE_CYCLE');

/**
 * Returns true if the proposal would block java-tron forever. When the optimised reward rule takes effect, java-tron
 * accepts no blocks until it has summed the rewards of the first rule. It starts to sum them only when the start of
 * the second rule is flushed to disk.
 */
function isTooEarly({ chain: { ledger } }: Scene, id: bigint): boolean {
  return id === OLD_REWARD_OPT && ledger.solidified().get(storeId('properties'), EFFECTIVE_CYCLE) === undefined;
}

/**
 * Chooses the parameters that a chain enables by votes at its start: none, a random half or all of the parameters that
 * no configuration enables.
 */
export function chooseEarly({ random, state }: Scene): readonly bigint[] {
  const ids = state.rules.release.rules.limitsPending ? [...VOTED, ...LATER_VOTED] : VOTED;
  const share = random.pick([0, 0.5, 1]);
  return ids.filter(() => random.chance(share)).map(BigInt);
}

export function earlyValue({ random }: Scene, id: bigint): bigint {
  return random.pick(VALUES[Number(id)] ?? [1n]);
}

/** Parameters without minimum and maximum. Each 64-bit value is valid. */
const UNBOUNDED_VALUES = [-(2n ** 63n), -1_000_000_000n, -1n, 0n, 10n ** 12n, 10n ** 17n, 2n ** 63n - 1n] as const;
/**
 * Parameters that are not set to extreme values, because no maintenance would then take place, or no proposal would
 * take effect, within a chain.
 */
const KEPT = ['MAINTENANCE_TIME_INTERVAL', 'PROPOSAL_EXPIRE_TIME'];
/** Prices and rates that transactions multiply with their bytes or their energy. */
const FACTORS = [3n, 8n, 11n];

/**
 * Returns a random parameter with an unusual valid value: at or next to its minimum or maximum, or a power of ten.
 * With such values, some sums and products exceed 64 bits.
 */
export function chooseExtreme({ random, state }: Scene): Map<bigint, bigint> {
  const rows = [...state.rules.release.parameters].filter(
    ([id, { property }]) => VALUES[Number(id)] !== undefined && !KEPT.includes(property),
  );
  const factors = rows.filter(([id]) => FACTORS.includes(id));
  const [id, { values }] = random.pick(random.chance(0.4) ? factors : rows);
  const usual = VALUES[Number(id)] ?? [];
  if (random.chance(0.3)) return new Map([[id, random.pick(usual)]]);
  if (values === undefined) return new Map([[id, random.pick([...UNBOUNDED_VALUES, ...usual])]]);
  const { min, max } = values;
  const large = 10n ** BigInt(random.below(max.toString().length));
  return new Map([[id, random.pick([min, min + 1n, max - 1n, max, large < min ? min : large])]]);
}

/** Returns values for the parameters of a story. Omits parameters that the release does not have. */
export function chooseNamed(scene: Scene, ids: readonly number[]): Map<bigint, bigint> {
  const { parameters } = scene.state.rules.release;
  const known = ids.map(BigInt).filter((id) => parameters.has(id) && !isTooEarly(scene, id));
  return new Map(known.map((id) => [id, earlyValue(scene, id)]));
}

/**
 * Parameters of the three reward rules. Accounts that voted before the first rule receive their rewards by the second
 * or the third rule.
 */
const REWARD_RULES = [30n, 67n, 79n];

/** Returns parameters that are still off, with values. A chain enables them while it grows. */
export function chooseAgreed(scene: Scene): Map<bigint, bigint> {
  const { random, state } = scene;
  const { parameters } = state.rules.release;
  const off = [...SWITCHES, ...LATER_SWITCHES, ...VOTED, ...LATER_VOTED].map(BigInt).filter((id) => {
    const parameter = parameters.get(id);
    return parameter !== undefined && !state.properties.isOn(parameter.property) && !isTooEarly(scene, id);
  });
  const chosen = new Map<bigint, bigint>();
  for (let at = random.between(1, 4); at > 0 && off.length > 0; at--) {
    const rewards = REWARD_RULES.find((id) => off.includes(id));
    const id = rewards !== undefined && random.chance(0.2) ? rewards : random.chance(0.4) ? off[0] : random.pick(off);
    if (id !== undefined) chosen.set(id, random.pick(VALUES[Number(id)] ?? [1n]));
  }
  return chosen;
}

/** Returns the parameters of a random proposal: one, sometimes several, and sometimes an invalid one. */
export function chooseParameters(scene: Scene): Map<bigint, bigint> {
  const { random, state } = scene;
  const isLater = state.rules.release.rules.limitsPending;
  const switches = isLater ? [...SWITCHES, ...LATER_SWITCHES, ...LATER_SWITCHES] : SWITCHES;
  const proposed = switches.filter((id) => !isTooEarly(scene, BigInt(id)));
  const ids = Object.keys(VALUES).map(Number);
  const parameters = new Map<bigint, bigint>();
  const count = random.chance(0.9) ? 1 : random.between(2, 4);
  for (let at = 0; at < count; at++) {
    if (random.chance(0.03)) parameters.set(BigInt(random.between(-1, 100)), random.amount(100_000n));
    else if (random.chance(0.5)) parameters.set(BigInt(random.pick(proposed)), random.chance(0.95) ? 1n : 0n);
    else {
      const id = random.pick(ids);
      parameters.set(BigInt(id), random.pick(VALUES[id] ?? [1n]));
    }
  }
  return parameters;
}
