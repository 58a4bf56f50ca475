import t from 'tap';
import { AccountFrozen } from '../../../../src/codec/generated/messages.js';
import type { Address } from '../../../../src/primitives/address.js';
import { fromHex, toHex } from '../../../../src/primitives/bytes.js';
import type { LongProperty } from '../../../../src/state-transition/parameters/property-table.js';
import type { State } from '../../../../src/state-transition/state/state.js';
import { referenceInterpreter } from '../../../../src/vm/interpreter/reference-interpreter.js';
import { WasmInterpreter } from '../../../../src/vm/interpreter/wasm-interpreter.js';
import type { Interpreter } from '../../../../src/vm/machine/machine.js';
import { ALL_SWITCHES, callWorld, contractAt, NEW_SWITCHES, OWNER, worldWith } from '../../../support/vm/vm-world.js';

// Effects on contracts of the parameters that 4.7.5 to 4.8.2 have added. Both interpreters are tested.

const interpreters: readonly (readonly [name: string, interpreter: Interpreter])[] = [
  ['plain', referenceInterpreter],
  ['fast', new WasmInterpreter()],
];
const WORD = (value: bigint | number) => value.toString(16).padStart(64, '0');
const push = (value: bigint | number | string) =>
  `7f${typeof value === 'string' ? value.padStart(64, '0') : WORD(value)}`;
/** Code that returns the word on top of the stack. */
const RETURN_TOP = '5f5260205ff3';
const MISSING = 'ee'.repeat(20);
const without = (...names: LongProperty[]) => ALL_SWITCHES.filter((name) => !names.includes(name));
const with472 = (...names: LongProperty[]) => [
  ...ALL_SWITCHES.filter((name) => !NEW_SWITCHES.includes(name)),
  ...names,
];

function world(codes: readonly string[], switches: readonly LongProperty[] = ALL_SWITCHES): State {
  return worldWith(codes.map(fromHex), { switches, version: 1 });
}

function run(state: State, interpreter: Interpreter, energy = 1_000_000) {
  const { run: found } = callWorld(state, interpreter, { data: new Uint8Array(0), energy });
  return { ...found, energyUsed: found.energyUsed, answer: toHex(found.returnData) };
}

/** Returns code that calls contract `index` with the given opcode and 100,000 energy. */
function callOf(opcode: 'f1' | 'f4' | 'fa', index: number): string {
  const value = opcode === 'f1' ? '5f' : '';
  return `5f5f5f5f${value}${push(contractAt(index).slice(2))}620186a0${opcode}`;
}

for (const [name, interpreter] of interpreters) {
  t.test(`${name}: rejects an opcode without its switch`, async (t) => {
    const cases: readonly (readonly [code: string, own: LongProperty])[] = [
      [`${push(1)}1e00`, 'ALLOW_TVM_OSAKA'],
      [`${push(1)}4900`, 'ALLOW_TVM_BLOB'],
      ['4a00', 'ALLOW_TVM_BLOB'],
      [`${push(1)}5c00`, 'ALLOW_TVM_CANCUN'],
      ['5f5f5d00', 'ALLOW_TVM_CANCUN'],
      ['5f5f5f5e00', 'ALLOW_TVM_CANCUN'],
    ];
    for (const [code, own] of cases) {
      t.equal(run(world([code]), interpreter).runtimeError, null, code);
      t.match(run(world([code], without(own)), interpreter).runtimeError, /Invalid operation code/, code);
      t.equal(run(world([code], with472(own)), interpreter).runtimeError, null, `${code} with its own switch only`);
    }
  });

  t.test(`${name}: counts leading zeros with CLZ`, async (t) => {
    const top = 1n << 255n;
    for (const [word, zeros] of [
      [0n, 256],
      [1n, 255],
      [top, 0],
      [top - 1n, 1],
      [1n << 64n, 191],
      [(1n << 64n) - 1n, 192],
      [(1n << 192n) | 1n, 63],
    ] as const) {
      const found = run(world([`${push(word)}1e${RETURN_TOP}`]), interpreter);
      t.equal(found.answer, WORD(zeros), WORD(word));
      // Energy of PUSH32, CLZ, PUSH0, MSTORE with a word of memory, PUSH1, PUSH0 and RETURN.
      t.equal(found.energyUsed, 3n + 5n + 2n + 4n + 3n + 2n);
    }
  });

  t.test(`${name}: copies overlapping memory with MCOPY and charges the farther end`, async (t) => {
    const bytes = '000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f';
    const copied = (to: number, from: number, size: number) =>
      run(world([`7f${bytes}5f52${push(size)}${push(from)}${push(to)}5e60405ff3`]), interpreter);
    t.equal(copied(1, 0, 31).answer, `00${bytes.slice(0, 62)}${'00'.repeat(32)}`, 'forwards, overlapping');
    t.equal(copied(0, 1, 31).answer, `${bytes.slice(2)}1f${'00'.repeat(32)}`, 'backwards, overlapping');
    t.equal(copied(32, 0, 32).answer, bytes + bytes);
    const huge = (1n << 256n) - 1n;
    const nothing = run(world([`${push(0)}${push(huge)}${push(huge)}5e5900`]), interpreter);
    t.equal(nothing.energyUsed, 3n * 3n + 3n + 2n, 'a size of 0 extends no memory, at any offset');
    // MCOPY costs 3 for the opcode, 3 for each of 2 copied words, and 3 for each of 4 words of memory. Here, the source
    // ends after the target.
    const far = run(world([`${push(33)}${push(64)}${push(0)}5e59${RETURN_TOP}`]), interpreter);
    t.equal(far.answer, WORD(128));
    t.equal(far.energyUsed, 9n + 3n + 6n + 12n + 2n + 8n);
    t.match(run(world([`${push(1)}${push(huge)}5f5e00`]), interpreter).runtimeError, /Out of Memory/);
  });

  t.test(`${name}: keeps a transient slot for the transaction and reverts it with its call`, async (t) => {
    const load = `60075c${RETURN_TOP}`;
    const store = (value: string) => `60${value}60075d`;
    const state = world([`${store('2a')}${load}`]);
    t.equal(run(state, interpreter).answer, WORD(0x2a));
    state.code.put(contractAt(0), fromHex(load));
    t.equal(run(state, interpreter).answer, WORD(0), 'the next transaction reads zero');
    const reverting = `${store('0b')}5f5ffd`;
    const delegated = (opcode: 'f1' | 'f4', inner: string) =>
      run(world([`${store('0a')}${callOf(opcode, 1)}50${load}`, inner]), interpreter).answer;
    t.equal(delegated('f4', `${store('0b')}00`), WORD(0x0b), 'a delegate call writes the slot of its caller');
    t.equal(delegated('f4', reverting), WORD(0x0a), 'a failed call reverts its writes');
    t.equal(delegated('f1', `${store('0b')}00`), WORD(0x0a), 'each contract has its own slot');
    const fixed = run(world([`${callOf('fa', 1)}${RETURN_TOP}`, `${store('0b')}00`]), interpreter);
    t.equal(fixed.answer, WORD(0), 'a static call may not write');
  });

  t.test(`${name}: charges more for SUICIDE to a new account, and 5,000 since proposal 94`, async (t) => {
    const price = (to: string, switches: readonly LongProperty[]) =>
      run(world([`${push(to)}ff`], switches), interpreter).energyUsed - 3n;
    const known = contractAt(1).slice(2);
    const state = with472();
    t.equal(price(MISSING, state), 0n);
    t.equal(price(MISSING, with472('ALLOW_ENERGY_ADJUSTMENT')), 25_000n);
    t.equal(price(OWNER.slice(2), with472('ALLOW_ENERGY_ADJUSTMENT')), 0n);
    t.equal(price(MISSING, with472('ALLOW_TVM_SELFDESTRUCT_RESTRICTION')), 30_000n);
    t.equal(price(OWNER.slice(2), ALL_SWITCHES), 5000n);
    t.equal(price(known, ALL_SWITCHES), 30_000n, 'the beneficiary does not exist');
  });

  t.test(`${name}: keeps a contract older than the transaction since proposal 94`, async (t) => {
    const leave = (to: string) => `${push(to)}ff`;
    const state = world([leave(OWNER.slice(2))]);
    const before = state.accounts.get(OWNER)!.balance;
    const found = run(state, interpreter);
    t.equal(found.resultCode, 1);
    t.equal(state.accounts.get(contractAt(0))?.balance, 0n);
    t.ok(state.code.has(contractAt(0)), 'the code is not deleted');
    t.ok(state.accounts.get(OWNER)!.balance > before, 'the balance was transferred');
    const self = world([leave(contractAt(0).slice(2))]);
    run(self, interpreter);
    t.equal(self.accounts.get(contractAt(0))?.balance, 5_000_000_000n, 'a transfer to itself changes nothing');
    const older = world([leave(OWNER.slice(2))], without('ALLOW_TVM_SELFDESTRUCT_RESTRICTION'));
    run(older, interpreter);
    t.notOk(older.code.has(contractAt(0)), 'deleted before proposal 94');
  });

  t.test(`${name}: still deletes a contract that the transaction created`, async (t) => {
    // Code that creates a contract, calls it, and returns its address. The contract destroys itself with its caller as
    // recipient.
    const init = '6133ff5f526002601ef3';
    const make = `69${init}5f52600a60165ff0`;
    const code = `${make}805f5f5f5f5f855af150${RETURN_TOP}`;
    const state = world([code]);
    const found = run(state, interpreter);
    const made = `41${found.answer.slice(24)}` as Address;
    t.equal(found.resultCode, 1);
    t.notOk(state.code.has(made));
    t.notOk(state.accounts.has(made));
    const kept = world([`${make}${RETURN_TOP}`]);
    const other = `41${run(kept, interpreter).answer.slice(24)}` as Address;
    t.ok(kept.code.has(other), 'not deleted if a later transaction destroys it');
  });

  t.test(`${name}: locks a contract by stake 1.0 until it expires and moves it once`, async (t) => {
    const state = world([`${push(OWNER.slice(2))}ff`]);
    const now = state.properties.get('latest_block_header_timestamp');
    const freeze = (expireTime: bigint) => {
      const frozen = Object.assign(new AccountFrozen(), { frozenBalance: 3_000_000n, expireTime });
      state.accountToWrite(contractAt(0))!.frozen = [frozen];
    };
    state.properties.set('TOTAL_NET_WEIGHT', 10n);
    freeze(now + 1n);
    t.equal(run(state, interpreter).isRevert, true, 'unexpired stake reverts the call');
    freeze(now);
    t.equal(run(state, interpreter).resultCode, 1);
    t.equal(state.accounts.get(contractAt(0))!.frozen[0]?.frozenBalance, 0n);
    t.equal(state.properties.get('TOTAL_NET_WEIGHT'), 7n);
    const after = state.accounts.get(OWNER)!.balance;
    t.equal(run(state, interpreter).resultCode, 1);
    t.ok(state.accounts.get(OWNER)!.balance <= after, 'the stake is paid once');
  });

  t.test(`${name}: charges VOTEWITNESS for length words, without overflow since proposal 96`, async (t) => {
    const vote = (length: bigint, offset: bigint) =>
      `${push(offset)}${push(length)}${push(offset)}${push(length)}d85900`;
    const price = (length: bigint, offset: bigint, switches: readonly LongProperty[]) =>
      run(world([vote(length, offset)], switches), interpreter, 100_000);
    const pushes = 12n;
    t.equal(price(0n, 0n, with472()).energyUsed, pushes + 30_000n + 2n, 'no length words and no memory');
    t.equal(price(0n, 0n, with472('ALLOW_ENERGY_ADJUSTMENT')).energyUsed, pushes + 30_000n + 3n + 2n);
    t.equal(price(0n, 0n, ALL_SWITCHES).energyUsed, pushes + 30_000n + 3n + 2n);
    const wide = 1n << 251n;
    t.not(
      price(wide, 0n, with472('ALLOW_ENERGY_ADJUSTMENT')).exception?.code,
      'OUT_OF_MEMORY',
      'the product overflows',
    );
    t.equal(price(wide, 0n, ALL_SWITCHES).exception?.code, 'OUT_OF_MEMORY');
    t.equal(
      price(wide, 0n, with472('ALLOW_TVM_OSAKA')).exception?.code,
      'OUT_OF_MEMORY',
      'the same without proposal 81',
    );
  });

  t.test(`${name}: truncates precompile output to the output size since proposal 94`, async (t) => {
    const outputOf = (outSize: number, switches: readonly LongProperty[]) => {
      // Code that calls the identity precompile with a word of ones. It writes 32 bytes at offset 64, and returns the
      // memory and its size.
      const code = `${push('ff'.repeat(32))}5f5260${outSize.toString(16).padStart(2, '0')}604060205f5f60045af1505960205260606020f3`;
      return run(world([code], switches), interpreter).answer;
    };
    const old = without('ALLOW_TVM_SELFDESTRUCT_RESTRICTION');
    t.equal(
      outputOf(0, old),
      WORD(96) + 'ff'.repeat(32) + '00'.repeat(32),
      'the complete output is written before proposal 94',
    );
    t.equal(outputOf(0, ALL_SWITCHES), WORD(32) + '00'.repeat(64));
    t.equal(outputOf(5, ALL_SWITCHES), WORD(96) + 'ff'.repeat(5) + '00'.repeat(59));
    t.equal(outputOf(64, ALL_SWITCHES), WORD(128) + 'ff'.repeat(32) + '00'.repeat(32));
  });
}

t.test('distinguishes addresses with different last bytes since proposal 81', async (t) => {
  const neighbour = `${contractAt(0).slice(2, -2)}77`;
  const balanceOf = (switches: readonly LongProperty[]) => {
    const state = world([`${push(neighbour)}ff`], switches);
    run(state, referenceInterpreter);
    return state.accounts.get(`41${neighbour}` as Address)?.balance;
  };
  t.equal(balanceOf(with472()), 0n, 'before proposal 81, the balance was transferred to the blackhole');
  t.equal(balanceOf(with472('ALLOW_ENERGY_ADJUSTMENT')), 5_000_000_000n);
});
