import t from 'tap';
import { fromHex, toHex } from '../../../../src/primitives/bytes.js';
import type { LongProperty } from '../../../../src/state-transition/parameters/property-table.js';
import { readRuleSet } from '../../../../src/vm/machine/rule-set.js';
import { findPrecompile } from '../../../../src/vm/precompiles/table.js';
import { ALL_SWITCHES, machineOn, NEW_SWITCHES, OWNER, worldWith } from '../../../support/vm/vm-world.js';

// Tests the precompiles that proposals 94 and 96 and block version 35 change.

const word = (value: bigint | number) => value.toString(16).padStart(64, '0');
const of472 = ALL_SWITCHES.filter((name) => !NEW_SWITCHES.includes(name));

interface Options {
  readonly switches?: readonly LongProperty[];
  /** True if the network has adopted block version 35. */
  readonly isForked?: boolean;
}

function callPrecompile(address: number, input: string, { switches = ALL_SWITCHES, isForked = false }: Options = {}) {
  const state = worldWith([], { switches });
  if (isForked) state.properties.setForkStats(35, new Uint8Array(27).fill(1));
  const rules = readRuleSet(state);
  const machine = machineOn(state);
  const precompile = findPrecompile(BigInt(address), rules);
  if (precompile === undefined) throw new Error('no such precompile');
  const data = fromHex(input);
  const energy = precompile.energy(data, rules);
  const { isSuccess, data: output } = precompile.run(data, { machine, caller: OWNER });
  return { energy, output: isSuccess ? toHex(output) : undefined };
}

const modExp = (base: string, exponent: string, modulus: string) =>
  [base, exponent, modulus].map((digits) => word(digits.length / 2)).join('') + base + exponent + modulus;

t.test('charges MODEXP by TIP-7883', async (t) => {
  const old = { switches: of472 };
  const cases: readonly (readonly [name: string, input: string, energy: number])[] = [
    ['nothing', '', 500],
    ['small numbers', modExp('03', '05', '07'), 500],
    ['an exponent of 32 bytes', modExp('03', `ff${'00'.repeat(31)}`, '07'), 255 * 16],
    ['an exponent of 33 bytes', modExp('03', `ff${'00'.repeat(32)}`, '07'), (255 + 16) * 16],
    ['a modulus of 33 bytes', modExp('03', '80', `01${'00'.repeat(32)}`), 500],
    ['numbers of 256 bytes', modExp('01'.repeat(256), '01'.repeat(32), '01'.repeat(256)), 2 * 32 * 32 * 248],
    ['an exponent of zeros', modExp('03', '00'.repeat(40), '07'), 8 * 16 * 16],
    ['lengths alone', word(1024) + word(0) + word(1024), 2 * 128 * 128],
  ];
  for (const [name, input, energy] of cases) t.equal(callPrecompile(5, input).energy, energy, name);
  t.equal(callPrecompile(5, modExp('03', '05', '07'), old).energy, 0, 'before proposal 96, by EIP-198');
});

t.test('accepts 1,024-byte numbers in MODEXP and returns zeros for a zero modulus', async (t) => {
  const long = '00'.repeat(1025);
  const fits = '00'.repeat(1024);
  for (const [name, bad, good] of [
    ['base', modExp(long, '01', '07'), modExp(fits, '01', '07')],
    ['exponent', modExp('03', long, '07'), modExp('03', fits, '07')],
    ['modulus', modExp('03', '01', long), modExp('03', '01', fits)],
  ] as const) {
    t.equal(callPrecompile(5, bad).output, undefined, name);
    t.not(callPrecompile(5, good).output, undefined, name);
    t.not(callPrecompile(5, bad, { switches: of472 }).output, undefined, `${name}: any length before proposal 96`);
  }
  t.equal(callPrecompile(5, modExp('03', '05', '00')).output, '00');
  t.equal(callPrecompile(5, modExp('03', '05', '00'.repeat(32))).output, word(0));
  t.equal(callPrecompile(5, modExp('03', '05', '')).output, '');
  t.equal(
    callPrecompile(5, modExp('03', '05', '00'), { switches: of472 }).output,
    '',
    'an empty result before proposal 96',
  );
  t.equal(callPrecompile(5, modExp('03', '05', '07')).output, '05');
});

t.test('ends the transaction for MODEXP with only an exponent since block version 35', async (t) => {
  const alone = (length: number) => word(0) + word(length) + word(0);
  t.equal(callPrecompile(5, alone(1025), { switches: of472 }).output, '');
  t.equal(callPrecompile(5, alone(1024), { switches: of472, isForked: true }).output, '');
  t.throws(() => callPrecompile(5, alone(1025), { switches: of472, isForked: true }), {
    code: 'OUT_OF_TIME',
    message: 'CPU timeout for modExp executing',
  });
  t.equal(callPrecompile(5, alone(1025), { isForked: true }).output, undefined, 'proposal 96 rejects it first');
});

t.test('requires complete signatures in signature precompiles since proposal 96', async (t) => {
  const words = (count: number) => '00'.repeat(32 * count);
  for (const [address, each] of [
    [0x0a, 5],
    [0x09, 6],
  ] as const) {
    for (const count of [0, 1, 5, 5 + each - 1, 5 + each + 1]) {
      t.equal(callPrecompile(address, words(count)).output, undefined, `${address}: ${count} words`);
    }
    for (const count of [5 + each, 5 + 2 * each]) t.not(callPrecompile(address, words(count)).output, undefined);
    t.equal(callPrecompile(address, `${words(5 + each)}00`).output, undefined, 'an incomplete word');
    t.not(
      callPrecompile(address, words(5 + each + 1), { switches: of472 }).output,
      undefined,
      'any length before proposal 96',
    );
  }
});

t.test('checks the number of signatures first since proposal 94', async (t) => {
  const switches: readonly LongProperty[] = [...of472, 'ALLOW_TVM_SELFDESTRUCT_RESTRICTION'];
  const multi = (at: number | bigint, ...rest: (number | bigint)[]) =>
    [0, 0, 0, at, ...rest].map((value) => word(value)).join('');
  t.equal(callPrecompile(0x0a, multi(128, 6), { switches }).output, word(0), 'more than five signatures');
  t.throws(() => callPrecompile(0x0a, multi(128, 6), { switches: of472 }), {
    message: 'Index 5 out of bounds for length 5',
  });
  t.throws(() => callPrecompile(0x0a, multi(128, 5), { switches }), { message: 'Index 5 out of bounds for length 5' });
  t.throws(() => callPrecompile(0x0a, multi(160, 1), { switches }), { message: 'Index 5 out of bounds for length 5' });
  t.equal(callPrecompile(0x0a, multi(160, 1), { switches: of472 }).output, word(0), 'not checked before');
  const batch = (...rest: number[]) => [0, 96, 128, ...rest].map((value) => word(value)).join('');
  t.equal(callPrecompile(0x09, batch(17, 1), { switches }).output, word(0));
  t.equal(callPrecompile(0x09, 'ff', { switches }).output, word(0), 'an input that is too short returns zero');
});

t.test('ends the transaction for an array larger than any heap', async (t) => {
  const input = [0, 0, 0, 128, 0x7fffffff].map((value) => word(value)).join('');
  t.throws(() => callPrecompile(0x0a, input, { switches: of472 }), {
    message: 'Unknown Throwable',
    endsTransaction: true,
  });
  t.equal(callPrecompile(0x09, word(0) + word(96) + word(96) + word(0x7fffffff), { switches: of472 }).output, word(0));
});
