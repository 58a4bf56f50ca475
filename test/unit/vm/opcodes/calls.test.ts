import t from 'tap';
import { push, returning, runCode } from '../../../support/vm/run-code.js';
import { contractAt } from '../../../support/vm/vm-world.js';

const OTHER = push(BigInt(`0x${contractAt(1).slice(2)}`));
const [CALL, CALLCODE, DELEGATECALL, STATICCALL] = ['f1', 'f2', 'f4', 'fa'];

/** Returns code that calls contract 1 without input, with 100,000 energy. The output is one word at memory offset 0. */
function call(opcode: string, value: bigint | undefined = 0n): string {
  const hasValue = opcode === CALL || opcode === CALLCODE;
  return `${push(32)}${push(0)}${push(0)}${push(0)}${hasValue ? push(value) : ''}${OTHER}${push(100_000)}${opcode}`;
}

const OUTPUT = `${push(0)}51`;
const context = (code: string, opcode: string, value = 0n) =>
  runCode(t, returning(`${call(opcode, value)}${OUTPUT}`, 2), { others: [returning(code)] }).words[0];
const ADDRESS = (at: number) => BigInt(`0x${contractAt(at).slice(2)}`);

t.test('sets context, caller and value for each kind of call', async (t) => {
  const [address, caller, value] = ['30', '33', '34'];
  t.same(
    [CALL, CALLCODE, DELEGATECALL, STATICCALL].map((kind) => context(address, kind)),
    [ADDRESS(1), ADDRESS(0), ADDRESS(0), ADDRESS(1)],
  );
  t.equal(context(caller, CALL), ADDRESS(0));
  t.not(context(caller, DELEGATECALL), ADDRESS(0), 'the caller of the caller');
  t.same([context(value, CALL, 5n), context(value, CALLCODE, 5n), context(value, DELEGATECALL)], [5n, 5n, 0n]);
});

t.test('transfers value with a call and returns it if the call fails', async (t) => {
  const balance = (callee: string) => {
    const { state, words } = runCode(t, returning(call(CALL, 5n)), { others: [callee] });
    return [words[0], state.account(contractAt(1))?.balance];
  };
  t.same(balance('00'), [1n, 5_000_000_005n]);
  t.same(balance(`${push(0)}${push(0)}fd`), [0n, 5_000_000_000n], 'the call reverted');
  t.same(balance('fe'), [0n, 5_000_000_000n], 'the call failed');
  t.equal(runCode(t, returning(call(CALL, 10n ** 13n)), { others: ['00'] }).words[0], 0n, 'a value above the balance');
});

t.test('rejects state changes in a static call', async (t) => {
  const inStatic = (code: string) => runCode(t, returning(call(STATICCALL)), { others: [code] }).words[0];
  const changes = [
    `${push(1)}${push(1)}55`,
    `${push(0)}${push(0)}a0`,
    `${push(0)}${push(0)}${push(0)}f0`,
    `${push(0)}ff`,
    `${push(1)}${push(1)}5d`,
  ];
  for (const code of changes) t.equal(inStatic(code), 0n, code);
  t.equal(inStatic(`${push(1)}54`), 1n);
});

t.test('returns the data of a revert and keeps the remaining energy', async (t) => {
  const { isRevert, words, energy, exception } = runCode(t, `${push(9)}${push(0)}52${push(32)}${push(0)}fd`);
  t.same([isRevert, words, exception], [true, [9n], undefined]);
  t.ok(energy < 100n, `${energy}`);
});

t.test('drops the logs of a failed call', async (t) => {
  const log = `${push(0)}${push(0)}a0`;
  t.equal(runCode(t, `${call(CALL)}00`, { others: [`${log}00`] }).logs, 1);
  t.equal(runCode(t, `${call(CALL)}00`, { others: [`${log}fe`] }).logs, 0);
});
