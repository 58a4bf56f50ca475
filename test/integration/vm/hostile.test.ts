import t from 'tap';
import { TransactionResultContractResult as Result } from '../../../src/codec/generated/messages.js';
import { fromHex } from '../../../src/primitives/bytes.js';
import type { BlockContext } from '../../../src/state-transition/transaction.js';
import { referenceInterpreter } from '../../../src/vm/interpreter/reference-interpreter.js';
import { WasmInterpreter } from '../../../src/vm/interpreter/wasm-interpreter.js';
import { executeSmartContract } from '../../../src/vm/smart-contract/execute.js';
import { cpuMs } from '../../support/cpu-clock.js';
import { floodPrecompile } from '../../support/vm/precompile-flood.js';
import { ALL_SWITCHES, callContext, callWorld, contractAt, OWNER, worldWith } from '../../support/vm/vm-world.js';

const NO_DATA = new Uint8Array(0);
const ENERGY = 10_000_000;
const self = contractAt(0).slice(2);

/** Programs that exceed limits, with their expected results. */
const cases: readonly { name: string; code: string; code1?: string; ends: string; text: RegExp }[] = [
  { name: 'an endless loop', code: '5b600056', ends: 'OUT_OF_ENERGY', text: /'JUMP|'PUSH1|'JUMPDEST/ },
  { name: 'memory beyond 3 MiB', code: '60006230000052', ends: 'OUT_OF_MEMORY', text: /'MSTORE'/ },
  {
    name: 'memory at the largest offset',
    code: `6000${'7f'}${'ff'.repeat(32)}52`,
    ends: 'OUT_OF_MEMORY',
    text: /MSTORE/,
  },
  { name: 'a stack of 1025', code: '5b6001600056', ends: 'STACK_TOO_LARGE', text: /1024/ },
];

for (const [engine, interpreter] of [
  ['fast', new WasmInterpreter()],
  ['plain', referenceInterpreter],
] as const) {
  for (const { name, code, ends, text } of cases) {
    t.test(`${engine}: ends ${name} with ${ends}`, async (t) => {
      const started = cpuMs();
      const { run } = callWorld(worldWith([fromHex(code)]), interpreter, { data: NO_DATA, energy: ENERGY });
      t.equal(run.exception?.code, ends);
      t.match(run.runtimeError, text);
      t.equal(run.energyUsed, BigInt(ENERGY), 'all energy is consumed');
      t.ok(cpuMs() - started < 20_000, `${cpuMs() - started} ms`);
    });
  }

  t.test(`${engine}: ends nested creations before the process stack overflows`, async (t) => {
    // Init code that calls CREATE2 with itself. Without the rules for compatibility with Ethereum, the depth of the
    // creations is not limited.
    const switches = ALL_SWITCHES.filter((name) => name !== 'ALLOW_TVM_COMPATIBLE_EVM' && name !== 'ALLOW_TVM_OSAKA');
    const code = fromHex('38600060003960003860006000f500');
    const nest = (energy: number, block: Partial<BlockContext> = {}, mark?: number) => {
      const state = worldWith([code], { switches, properties: { MAX_FEE_LIMIT: 10n ** 12n } });
      const context = callContext(state, { data: NO_DATA, energy, block, ...(mark !== undefined && { mark }) });
      return executeSmartContract(state, context, { interpreter, blockId: () => undefined });
    };
    const deep = 100_000_000;
    const ended = nest(deep);
    t.equal(ended.resultCode, Result.JVM_STACK_OVER_FLOW);
    t.equal(ended.runtimeError, 'StackOverflowError:  exceed default JVM stack size!');
    t.equal(ended.energyUsed, BigInt(deep), 'all energy is consumed');
    t.equal(nest(10_000_000).resultCode, Result.SUCCESS, '312 nested creations are allowed');
    const signed = { isSigned: true };
    t.equal(nest(deep, signed, Result.JVM_STACK_OVER_FLOW).resultCode, Result.JVM_STACK_OVER_FLOW);
    t.equal(
      nest(10_000_000, signed, Result.JVM_STACK_OVER_FLOW).resultCode,
      Result.SUCCESS,
      'a wrong result stated in the block is not accepted',
    );
    t.throws(() => nest(deep, signed, Result.SUCCESS), { code: 'UNDECIDABLE' });
    t.equal(nest(10_000_000).resultCode, Result.SUCCESS, 'the interpreter executes the next call correctly');
  });

  t.test(`${engine}: ends self-calls at depth 64, regardless of the payer`, async (t) => {
    // Code that counts the call depth in slot 0, and then calls itself with all energy.
    const code = `60005460010160005560006000600060006000${'73'}${self}5af100`;
    const state = worldWith([fromHex(code)]);
    const { run } = callWorld(state, interpreter, { data: NO_DATA, energy: ENERGY });
    t.equal(run.exception, undefined);
    const changed = state.commit().filter(({ after }) => after?.length === 32 && after[31] === 65);
    t.equal(changed.length, 1, 'a slot contains the count of 65 frames');
  });
}

t.test('fails a precompile fast if its cost exceeds its energy, even with maximum lengths', async (t) => {
  // The lengths of base, exponent and modulus have their maximum.
  const lengths = [0, 32, 64].map((at) => `7f${'ff'.repeat(32)}60${at.toString(16).padStart(2, '0')}52`).join('');
  const code = fromHex(`${lengths}6000600060606000600060055af160005260206000f3`);
  const started = cpuMs();
  const { run } = callWorld(worldWith([code]), new WasmInterpreter(), { data: NO_DATA, energy: ENERGY });
  t.equal(run.exception, undefined);
  t.equal(run.returnData[31], 0);
  t.ok(cpuMs() - started < 10_000);
});

t.test('clears call memory for the next call', async (t) => {
  const interpreter = new WasmInterpreter();
  const dirty = fromHex(`7f${'ff'.repeat(32)}6103e85200`);
  const reads = fromHex('6103e85160005260206000f3');
  callWorld(worldWith([dirty]), interpreter, { data: new Uint8Array(100).fill(1), energy: ENERGY });
  const { run } = callWorld(worldWith([reads]), interpreter, { data: NO_DATA, energy: ENERGY });
  t.same([...run.returnData], new Array(32).fill(0));
});

/** Encodes a number as a word of 32 bytes, in hex. */
const word = (value: number | bigint): string => value.toString(16).padStart(64, '0');
const ff = (bytes: number): string => 'ff'.repeat(bytes);
const modExpInput = (base: number, exponent: number, modulus: number): string =>
  `${word(base)}${word(exponent)}${word(modulus)}${ff(base + exponent + modulus)}`;
const G1 = `${word(1)}${word(2)}`;
const G2 =
  '198e9393920d483a7260bfb731fb5d25f1aa493335a9e71297e485b7aef312c2' +
  '1800deef121f1e76426a00665e5c4479674322d4f75edadd46debd5cd992f6ed' +
  '090689d0585ff075ec9e99ad690c3395bc4b313370b38ef355acdadcd122975b' +
  '12c85ea5db8c6deb4aab71808dcb408fe3d1e7690c43d37b4ce6cc0166fa7daa';
/**
 * Encodes signatures as `bytes[]`. Each r is the x coordinate of a point, so recovery of each signature returns a key.
 */
const signatures = (count: number): string =>
  word(count) +
  Array.from({ length: count }, (_, i) => word(32 * count + 128 * i)).join('') +
  Array.from({ length: count }, (_, i) => `${word(65)}${word(1)}${word(7 + i)}1b${'00'.repeat(31)}`).join('');
/**
 * Inputs with the highest CPU time per energy, by precompile. The test calls the precompile until no energy is left.
 */
const bombs: readonly { name: string; address: number; input: string; energy?: number; ends?: string }[] = [
  { name: 'ecrecover', address: 1, input: `${ff(32)}${word(27)}${word(7)}${word(7)}` },
  { name: 'SHA-256 of all memory', address: 2, input: ff(2_000_000) },
  { name: 'modexp of short numbers', address: 5, input: modExpInput(32, 32, 32) },
  { name: 'modexp of long numbers', address: 5, input: modExpInput(512, 512, 512) },
  { name: 'modexp with an even modulus', address: 5, input: `${modExpInput(256, 256, 256).slice(0, -2)}fe` },
  { name: 'bn128 addition', address: 6, input: `${G1}${G1}` },
  { name: 'bn128 multiplication', address: 7, input: `${G1}${ff(32)}` },
  { name: 'bn128 pairing', address: 8, input: `${G1}${G2}`.repeat(20) },
  {
    name: 'batchvalidatesign of sixteen',
    address: 9,
    input: `${ff(32)}${word(96)}${word(128 + 160 * 16)}${signatures(16)}${word(16)}${word(7).repeat(16)}`,
  },
  {
    name: 'validatemultisign',
    address: 10,
    input: `${word(BigInt(`0x${OWNER}`))}${word(0)}${ff(32)}${word(128)}${signatures(1)}`,
  },
  { name: 'BLAKE2b with many rounds', address: 0x20009, input: `000f4240${'00'.repeat(208)}01` },
  {
    name: 'BLAKE2b with more rounds than energy',
    address: 0x20009,
    input: `ffffffff${'00'.repeat(208)}01`,
    ends: 'OUT_OF_ENERGY',
  },
  { name: 'a merkle hash', address: 0x1000004, input: `${word(3)}${word(1)}${word(2)}`, energy: 1_000_000 },
];
const BOUND_MS = 20_000;

for (const { name, address, input, energy = ENERGY, ends = 'OUT_OF_TIME' } of bombs) {
  t.test(`ends an endless program: ${name}`, async (t) => {
    const bomb = { address, input: fromHex(input) };
    const first = floodPrecompile({ ...bomb, energy });
    t.equal(first.code, 'OUT_OF_ENERGY');
    t.ok(first.elapsedMs < BOUND_MS, `${first.elapsedMs.toFixed(0)} ms for ${energy} energy`);
    const second = floodPrecompile({ ...bomb, energy: 1_000_000_000, grantedMs: 80 });
    t.equal(second.code, ends, 'the deadline ends the program');
    t.ok(second.elapsedMs < 10_000, `${second.elapsedMs.toFixed(0)} ms with 80 ms granted`);
  });
}
