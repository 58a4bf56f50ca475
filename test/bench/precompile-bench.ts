import { existsSync, readFileSync } from 'node:fs';
import { fromHex, toHex } from '../../src/primitives/bytes.js';
import { multiplyJubjub, SPENDING_BASE } from '../../src/vm/precompiles/sapling/jubjub.js';
import { setSpendKey } from '../../src/vm/precompiles/sapling/proofs.js';
import { floodPrecompile } from '../support/vm/precompile-flood.js';
import { readProvingKey } from '../support/vm/precompiles/groth16-prover.js';
import { KnownCircuit } from '../support/vm/precompiles/known-secrets.js';
import { makeOutput, mintInput } from '../support/vm/precompiles/shielded-output.js';
import { makeSpend, transferInput } from '../support/vm/precompiles/shielded-transfer.js';
import { OWNER } from '../support/vm/vm-world.js';
import type { Figures } from './figures.js';

const ENERGY = 10_000_000;
/** Energy of the warm-up, in which the JIT compiler optimizes the code. */
const WARM_UP_ENERGY = 1_000_000;
const TURNS = 3;

const word = (value: number | bigint): string => value.toString(16).padStart(64, '0');
const ff = (bytes: number): string => 'ff'.repeat(bytes);
const modExp = (base: number, exponent: number, modulus: number): string =>
  `${word(base)}${word(exponent)}${word(modulus)}${ff(base + exponent + modulus)}`;
const POINT = `${word(1)}${word(2)}`;
const DOUBLE =
  '030644e72e131a029b85045b68181585d97816a916871ca8d3c208c16d87cfd3' +
  '15ed738c0e0a7c92e7845f96b2ae9c0a68a6a449e3538fc7ff3ebf7a5a18a2c4';
const TWIST_POINT =
  '198e9393920d483a7260bfb731fb5d25f1aa493335a9e71297e485b7aef312c2' +
  '1800deef121f1e76426a00665e5c4479674322d4f75edadd46debd5cd992f6ed' +
  '090689d0585ff075ec9e99ad690c3395bc4b313370b38ef355acdadcd122975b' +
  '12c85ea5db8c6deb4aab71808dcb408fe3d1e7690c43d37b4ce6cc0166fa7daa';
/**
 * Encodes signatures as `bytes[]`. Each r is the x coordinate of a point, so a key must be recovered for each
 * signature.
 */
const signatures = (count: number): string =>
  word(count) +
  Array.from({ length: count }, (_, i) => word(32 * count + 128 * i)).join('') +
  Array.from({ length: count }, (_, i) => `${word(65)}${word(1)}${word(7 + i)}1b${'00'.repeat(31)}`).join('');

/** Inputs of precompiles with a high CPU time per energy. */
const INPUTS: readonly (readonly [name: string, address: number, input: string])[] = [
  ['a call of nothing (identity)', 0x04, ''],
  ['ecrecover', 0x01, `${ff(32)}${word(27)}${word(7)}${word(7)}`],
  ['SHA-256 of a word', 0x02, ff(32)],
  ['RIPEMD-160 of a word', 0x20003, ff(32)],
  ['modexp, numbers of a byte', 0x05, modExp(1, 1, 1)],
  ['modexp, words by a byte', 0x05, modExp(32, 1, 32)],
  ['modexp, words', 0x05, modExp(32, 32, 32)],
  ['bn128 addition', 0x06, POINT + DOUBLE],
  ['bn128 multiplication', 0x07, POINT + ff(32)],
  ['bn128 pairing, one pair', 0x08, POINT + TWIST_POINT],
  ['bn128 pairing, twenty pairs', 0x08, (POINT + TWIST_POINT).repeat(20)],
  [
    'batchvalidatesign, sixteen',
    0x09,
    `${ff(32)}${word(96)}${word(128 + 160 * 16)}${signatures(16)}${word(16)}${word(7).repeat(16)}`,
  ],
  ['validatemultisign', 0x0a, `${word(BigInt(`0x${OWNER}`))}${word(0)}${ff(32)}${word(128)}${signatures(1)}`],
  ['BLAKE2b, no round', 0x20009, `00000000${'00'.repeat(208)}01`],
  ['BLAKE2b, a million rounds', 0x20009, `000f4240${'00'.repeat(208)}01`],
  ['merkle hash', 0x1000004, `${word(3)}${word(1)}${word(2)}`],
];

/**
 * Measures the CPU time of 10 million energy of each precompile, which a program calls in a loop. A block full of such
 * calls needs this time. Uses the best of three runs. Also reports the number of key recoveries in the same time.
 * @param baseline key recoveries per second on this machine
 */
export function precompileBench(baseline: number, figures: Figures): void {
  console.log('precompiles: ms for 10 M energy, and thousands of recoveries that take as long');
  for (const [name, address, input] of [...INPUTS, ...shieldedInputs()]) {
    const flood = { address, input: fromHex(input) };
    floodPrecompile({ ...flood, energy: WARM_UP_ENERGY });
    const ms = Math.min(
      ...Array.from({ length: TURNS }, () => floodPrecompile({ ...flood, energy: ENERGY }).elapsedMs),
    );
    figures.note(`precompiles: ${name}`, ms, 'ms/10 M energy', (ms * baseline) / 1e6);
    console.log(`   ${name}: ${ms.toFixed(0)} ms, ${((ms * baseline) / 1e6).toFixed(1)}`);
  }
}

/**
 * Returns the input of a deposit and of the longest transfer, with valid proofs. If the proving parameters are missing,
 * returns nothing. For spends, uses a circuit with known setup secrets, because this repository does not have the
 * network's proving parameters for spends. As after a real setup ceremony, this circuit has the gamma of the output
 * circuit, but another beta.
 */
function shieldedInputs(): typeof INPUTS {
  const file = new URL('../golden/sapling/sapling-output.params', import.meta.url);
  if (!existsSync(file)) return [];
  const key = readProvingKey(readFileSync(file));
  const frontier = Array.from({ length: 33 }, () => new Uint8Array(32));
  const note = {
    value: 5n,
    valueRandomness: 7n,
    diversifiedBase: multiplyJubjub(SPENDING_BASE, 2n),
    paymentKey: multiplyJubjub(SPENDING_BASE, 6n),
    commitmentRandomness: 11n,
    ephemeralSecret: 13n,
  };
  const outputs = [makeOutput(note, key), makeOutput({ ...note, commitmentRandomness: 12n }, key)] as const;
  const mint = mintInput({ output: outputs[0], ...note, frontier, leafCount: 0n });
  const circuit = new KnownCircuit(7, { gamma: 1n });
  setSpendKey(circuit.key);
  const spends = [1n, 2n].map((at) =>
    makeSpend({ value: 6n, valueRandomness: 100n * at, secret: 7n + at, nullifier: at }, circuit),
  );
  const sums = { balance: 2n, randomness: 300n - 2n * note.valueRandomness };
  const transfer = transferInput({ spends, outputs, ...sums, frontier, leafCount: 0n });
  return [
    ['a shielded deposit', 0x1000001, toHex(mint)],
    ['a shielded transfer, two notes to two', 0x1000002, toHex(transfer)],
  ];
}
