import { Common, Hardfork, Mainnet } from '@ethereumjs/common';
import { createEVM, type EVM } from '@ethereumjs/evm';
import t from 'tap';
import { toHex } from '../../../src/primitives/bytes.js';
import { WasmInterpreter } from '../../../src/vm/interpreter/wasm-interpreter.js';
import { BLAKE2F, RIPEMD160 } from '../../support/vm/precompile-input.js';
import { Seeded } from '../../support/vm/random-program.js';
import { type SharedProgram, sharedProgram } from '../../support/vm/shared-program.js';
import { callWorld, worldWith } from '../../support/vm/vm-world.js';

// Random programs must have the same results and return data as in @ethereumjs/evm (Osaka). PROGRAMS (default 10,000)
// sets the number of programs, and SEED (default 1) the first seed. A failure prints its seed.
//
// Included: 0x01-0x0b, 0x10-0x1e (CLZ), TLOAD, TSTORE, MCOPY, KECCAK256, CALLDATALOAD/SIZE/COPY, CODESIZE/COPY,
// RETURNDATASIZE/COPY, POP, MLOAD, MSTORE, MSTORE8, JUMP, JUMPI, PC, MSIZE, JUMPDEST, PUSH0-PUSH32, DUP, SWAP, RETURN,
// REVERT, STOP, unknown bytes; CALL, CALLCODE, DELEGATECALL and STATICCALL of SHA-256, identity, modexp, bn128 (three),
// P256VERIFY, and RIPEMD-160 and BLAKE2F at their addresses on TRON.
//
// Excluded, because they have another meaning on TRON:
// - GAS, GASPRICE and the cost of programs: energy has other prices. Both machines get enough energy or gas.
// - ADDRESS, ORIGIN, CALLER, BALANCE, SELFBALANCE, COINBASE, EXTCODE*, calls of accounts, CREATE, CREATE2 and
//   SELFDESTRUCT: addresses have 21 bytes, balances are in SUN, and new addresses are computed from other hashes.
// - CALLVALUE: an int64 in SUN. BLOCKHASH, TIMESTAMP, NUMBER, DIFFICULTY, GASLIMIT, CHAINID, BASEFEE: values of another
//   chain, some of which are constant.
// - SLOAD, SSTORE, LOG: they write rows and logs instead of return data. `fuzz.test.ts` tests them.
// - 0xd0-0xdf (tokens, stake, votes): they exist only on TRON.
// - ecrecover, which returns 21 bytes; 0x03 and 0x09, which are other precompiles on TRON; malformed input of BLAKE2F,
//   which returns a word of zeros.
// - Offsets between 3 MB, the memory limit of TRON, and the limit by gas; lengths and offsets of a call above an int.
const count = Number(process.env['PROGRAMS'] ?? 10_000);
const first = Number(process.env['SEED'] ?? 1);
/** Energy (gas) of each program. It is sufficient for every program, but not for offsets above the memory limit. */
const GAS = 100_000_000;
const fast = new WasmInterpreter();

function here({ code, data }: SharedProgram): string {
  const { run } = callWorld(worldWith([code], { properties: { MAX_FEE_LIMIT: 10n ** 12n } }), fast, {
    data,
    energy: GAS,
  });
  const end = run.exception !== undefined ? 'failed' : run.isRevert ? 'reverted' : 'returned';
  return `${end} ${toHex(run.returnData)}`;
}

async function there(evm: EVM, { code, data }: SharedProgram): Promise<string> {
  evm.transientStorage.clear();
  const { exceptionError, returnValue } = await evm.runCode({ code, data, gasLimit: BigInt(GAS) });
  if (exceptionError === undefined) return `returned ${toHex(returnValue)}`;
  return exceptionError.error === 'revert' ? `reverted ${toHex(returnValue)}` : 'failed ';
}

/** Returns a machine that has the precompiles of Ethereum at 0x03 and 0x09 also at their TRON addresses. */
async function ethereum(): Promise<EVM> {
  const common = new Common({ chain: Mainnet, hardfork: Hardfork.Osaka });
  const original = await createEVM({ common });
  const moved = [
    [3, RIPEMD160],
    [9, BLAKE2F],
  ] as const;
  const addressOf = (number: number) => `0x${number.toString(16).padStart(40, '0')}` as const;
  const customPrecompiles = moved.map(([from, to]) => {
    const run = original.getPrecompile(addressOf(from));
    if (run === undefined) throw new Error(`no precompile ${from}`);
    return { address: addressOf(to), function: run };
  });
  return createEVM({ common, customPrecompiles });
}

t.setTimeout(count * 300 + 300_000);

t.test('executes shared programs with the results of @ethereumjs/evm', async (t) => {
  const evm = await ethereum();
  const ends = new Map<string, number>();
  let differences = 0;
  for (let seed = first; seed < first + count && differences < 5; seed++) {
    const program = sharedProgram(new Seeded(Math.imul(seed, 0x9e3779b1)));
    const [found, expected] = [here(program), await there(evm, program)];
    const end = expected.slice(0, expected.indexOf(' '));
    ends.set(end, (ends.get(end) ?? 0) + 1);
    if (found === expected) continue;
    differences++;
    t.equal(found, expected, `seed ${seed} code ${toHex(program.code)} data ${toHex(program.data)}`);
  }
  t.equal(differences, 0, `${count} programs from seed ${first}`);
  t.comment([...ends].map(([end, n]) => `${end}: ${n}`).join(', '));
  for (const end of ['returned', 'reverted', 'failed']) t.ok((ends.get(end) ?? 0) > 0, `some programs ${end}`);
});
