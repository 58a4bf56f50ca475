import { toHex } from '../../../src/primitives/bytes.js';
import type { Interpreter } from '../../../src/vm/machine/machine.js';
import { randomProgram, Seeded } from './random-program.js';
import { ALL_SWITCHES, callWorld, changesOf, contractAt, NEW_SWITCHES, worldWith } from './vm-world.js';

const CONTRACTS = 3;

/**
 * Creates contracts with random programs from a seed and calls the first contract three times. Returns all visible
 * effects as text. The text of each call starts with its result code.
 */
export function outcome(seed: number, interpreter: Interpreter): string {
  const random = new Seeded(Math.imul(seed, 0x9e3779b1));
  const addresses = Array.from({ length: CONTRACTS }, (_, i) => contractAt(i));
  const codes = addresses.map(() => randomProgram(random, addresses));
  const isOld = random.below(4) === 0;
  const isHot = random.below(4) === 0;
  // Turns off some of the newest rules. All combinations are allowed, because none of these rules requires another
  // one.
  const withSome = ALL_SWITCHES.filter((name) => !NEW_SWITCHES.includes(name) || random.below(3) > 0);
  const state = worldWith(codes, {
    ...(isOld ? { switches: ALL_SWITCHES.slice(0, 1 + random.below(ALL_SWITCHES.length)) } : {}),
    ...(!isOld && random.below(2) === 0 ? { switches: withSome, version: 1 } : {}),
    properties: isHot
      ? { ALLOW_DYNAMIC_ENERGY: 1n, DYNAMIC_ENERGY_INCREASE_FACTOR: 2000n, DYNAMIC_ENERGY_MAX_FACTOR: 34_000n }
      : {},
  });
  state.properties.set('ALLOW_CREATION_OF_CONTRACTS', 1n);
  const data = Uint8Array.from({ length: random.below(100) }, () => random.below(256));
  const energy = random.pick([1000, 50_000, 2_000_000, 2_000_000, 2_000_000]);
  const lines: string[] = [];
  for (let call = 0; call < 3; call++) {
    // With dynamic energy, the price of energy rises with each call.
    if (isHot) state.properties.add('CURRENT_CYCLE_NUMBER', 1n);
    if (!state.contracts.has(contractAt(0))) break;
    const { run, receipt } = callWorld(state, interpreter, { data, energy: energy + call * 7, value: BigInt(call) });
    lines.push(
      `${run.resultCode} ${run.runtimeError} ${run.energyUsed} ${run.energyPenalty} ${toHex(run.returnData)} ${receipt.energyFee}`,
      ...run.logs.map((log) => `log ${toHex(log.address)} ${log.topics.map(toHex)} ${toHex(log.data)}`),
      ...run.internalTransactions.map((tx) => `internal ${toHex(tx.hash)} ${tx.rejected} ${toHex(tx.note)}`),
      ...changesOf(state),
    );
  }
  return lines.join('\n');
}
