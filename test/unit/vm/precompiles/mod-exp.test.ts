import t from 'tap';
import { fromHex, toHex } from '../../../../src/primitives/bytes.js';
import { readRuleSet } from '../../../../src/vm/machine/rule-set.js';
import { modExp } from '../../../../src/vm/precompiles/mod-exp.js';
import { ALL_SWITCHES, machineOn, OWNER, worldWith } from '../../../support/vm/vm-world.js';

const word = (value: number | bigint) => value.toString(16).padStart(64, '0');
/** Returns the input for three numbers in hex. The length fields are computed from the numbers. */
const input = (base: string, exponent: string, modulus: string) =>
  fromHex(word(base.length / 2) + word(exponent.length / 2) + word(modulus.length / 2) + base + exponent + modulus);
const before = ALL_SWITCHES.filter((name) => name !== 'ALLOW_TVM_OSAKA');
const machine = machineOn(worldWith([]));
const older = machineOn(worldWith([], { switches: before }));
const run = (data: Uint8Array, on = older) => {
  const { isSuccess, data: output } = modExp.run(data, { machine: on, caller: OWNER });
  return isSuccess ? toHex(output) : 'failed';
};

// Results and edge cases of EIP-198. For a modulus of zero, the output is empty before proposal 96, and zeros after it.
const rows: readonly (readonly [name: string, data: Uint8Array, older: string, newer: string])[] = [
  ['3 ** 5 mod 7', input('03', '05', '07'), '05', '05'],
  ['the result is as long as the modulus', input('03', '05', '000007'), '000005', '000005'],
  ['an exponent of zero', input('03', '00', '07'), '01', '01'],
  ['no exponent', input('03', '', '07'), '01', '01'],
  ['zero to the power of zero', input('', '', '07'), '01', '01'],
  ['modulo one', input('03', '00', '01'), '00', '00'],
  ['modulo zero', input('03', '05', '0000'), '', '0000'],
  ['no modulus', input('03', '05', ''), '', ''],
  ['an input that ends early', fromHex(`${word(1) + word(1) + word(2)}0305`), '', '0000'],
  ['Fermat', input('03', word(2n ** 256n - 2n ** 32n - 978n), word(2n ** 256n - 2n ** 32n - 977n)), word(1), word(1)],
];

t.test('computes modular powers', async (t) => {
  for (const [name, data, before96, after96] of rows) {
    t.same([run(data), run(data, machine)], [before96, after96], name);
  }
});

t.test('charges by the lengths and the highest bit of the exponent', async (t) => {
  const energies = (data: Uint8Array) => [older, machine].map((on) => modExp.energy(data, readRuleSet(on.state)));
  t.same(energies(input('03', '05', '07')), [0, 500]);
  t.same(energies(input('ff'.repeat(64), 'ff'.repeat(32), 'ff'.repeat(64))), [
    Math.floor((4096 * 255) / 20),
    128 * 255,
  ]);
  const claims = fromHex(word(2n ** 255n) + word(2n ** 255n) + word(2n ** 255n));
  t.equal(energies(claims)[0], 2 ** 63, 'a stated length saturates like a Java long');
});

t.test('bounds numbers by 1,024 bytes since proposal 96', async (t) => {
  t.equal(run(input('01'.repeat(1025), '01', '07'), machine), 'failed');
  t.equal(run(input('01'.repeat(1024), '01', '07'), machine).length, 2);
  t.equal(run(input('01'.repeat(1025), '01', '07')).length, 2);
});
