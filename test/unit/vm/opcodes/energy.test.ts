import t from 'tap';
import type { CallFrame } from '../../../../src/vm/machine/frame.js';
import { energyForCall, growthEnergy, storeEnergy } from '../../../../src/vm/opcodes/energy.js';
import { push, runCode } from '../../../support/vm/run-code.js';

const STOP = '00';
/** Returns the energy of `count` pushes, which cost 3 each. */
const PUSHES = (count: number) => 3n * BigInt(count);

// Programs with their cost in energy. Reference: EnergyCost.
const rows: readonly (readonly [name: string, code: string, energy: bigint])[] = [
  ['nothing', STOP, 0n],
  ['EXP of a byte', `${push(255)}${push(2)}0a${STOP}`, PUSHES(2) + 20n],
  ['EXP of two bytes', `${push(256)}${push(2)}0a${STOP}`, PUSHES(2) + 30n],
  ['EXP of zero', `${push(0)}${push(2)}0a${STOP}`, PUSHES(2) + 10n],
  ['SHA3 of 33 bytes: two words, and memory of two', `${push(33)}${push(0)}20${STOP}`, PUSHES(2) + 30n + 12n + 6n],
  ['MSTORE of the third word', `${push(1)}${push(64)}52${STOP}`, PUSHES(2) + 9n],
  ['memory of 32 KiB: linear and square', `${push(1)}${push(32_736)}52${STOP}`, PUSHES(2) + 3072n + 2048n],
  ['CALLDATACOPY of a word and a byte', `${push(33)}${push(0)}${push(0)}37${STOP}`, PUSHES(3) + 6n + 6n],
  ['SSTORE of a new slot', `${push(1)}${push(1)}55${STOP}`, PUSHES(2) + 20_000n],
  ['SSTORE of zero', `${push(0)}${push(1)}55${STOP}`, PUSHES(2) + 5000n],
  ['SSTORE twice', `${push(1)}${push(1)}55${push(1)}${push(1)}55${STOP}`, PUSHES(4) + 25_000n],
  ['LOG1 of 3 bytes', `${push(1)}${push(3)}${push(0)}a1${STOP}`, PUSHES(3) + 750n + 24n + 3n],
  ['JUMPDEST', `5b${STOP}`, 1n],
];

t.test('charges a program the cost of its operations', async (t) => {
  const older = { switches: ['ALLOW_CREATION_OF_CONTRACTS'] } as const;
  for (const [name, code, energy] of rows) t.equal(runCode(t, code, older).energy, energy, name);
});

t.test('consumes all energy if it is insufficient and reports the missing amount', async (t) => {
  const { exception, energy } = runCode(t, `${push(1)}${push(1)}55${STOP}`, { energy: 20_005 });
  t.equal(
    exception,
    "Not enough energy for 'SSTORE' operation executing: curInvokeEnergyLimit[20005], curOpEnergy[20000], usedEnergy[6]",
  );
  t.equal(energy, 20_005n);
  t.match(runCode(t, `${push(1)}${push(4_000_000)}52`).exception, "Out of Memory when 'MSTORE' operation executing");
});

t.test('keeps one 64th of the energy for the caller in newer contracts', async (t) => {
  const frame = (contractVersion: number) => ({ contractVersion }) as CallFrame;
  t.equal(energyForCall(frame(1), true, 6400), 6300);
  t.equal(energyForCall(frame(0), true, 6400), 6400);
  t.equal(energyForCall(frame(1), false, 6400), 6400);
});

t.test(
  'charges memory growth, and SSTORE by whether the slot has a row and whether the new value is zero',
  async (t) => {
    t.equal(growthEnergy(0, 32), 3);
    t.equal(growthEnergy(32, 32 * 1024), 3072 + 2048 - 3);
    t.same([storeEnergy(false, false), storeEnergy(true, false), storeEnergy(false, true)], [20_000, 5000, 5000]);
  },
);
