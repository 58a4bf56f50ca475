import t from 'tap';
import { push, returning, runCode } from '../../../support/vm/run-code.js';
import { addressOf } from '../../../support/vm/state-with.js';
import { contractAt, machineOn, worldWith } from '../../../support/vm/vm-world.js';

const SELF = push(BigInt(`0x${contractAt(0).slice(2)}`));

t.test('maps a word to the account of its last 20 bytes', async (t) => {
  const machine = machineOn(worldWith([]));
  t.equal(machine.addressOf(BigInt(`0x${'ff'.repeat(12)}${'05'.repeat(20)}`)), addressOf(5));
});

t.test('reverts state, logs and marks of a failed call and keeps its internal transactions as rejected', async (t) => {
  const machine = machineOn(worldWith([]));
  const mark = machine.mark();
  machine.created.add(addressOf(1));
  machine.logs.push({ address: new Uint8Array(20), topics: [], data: new Uint8Array(0) });
  machine.deleted.push(addressOf(1));
  machine.transient.store(addressOf(1), 1n, 1n);
  machine.state.properties.set('TOTAL_NET_WEIGHT', 5n);
  t.ok(machine.created.has(addressOf(1)));
  machine.revertTo(mark, 1);
  t.same([machine.created.has(addressOf(1)), machine.logs.length, machine.deleted.length], [false, 0, 0]);
  t.same([machine.transient.load(addressOf(1), 1n), machine.state.properties.get('TOTAL_NET_WEIGHT')], [0n, 0n]);
});

t.test('allows a call depth of exactly 64', async (t) => {
  // Code that counts its calls in slot 0, and then calls itself with all energy.
  const deeper = `${push(0)}54${push(1)}01${push(0)}55${push(0)}${push(0)}${push(0)}${push(0)}${push(0)}${SELF}5af150`;
  const { words } = runCode(t, returning(`${deeper}${push(0)}54`), { energy: 10_000_000, version: 0 });
  t.same(words, [65n]);
});

t.test('consumes all energy of a failed call, but none for a rejected transfer', async (t) => {
  const spent = (callee: string) => {
    const call = `${push(0)}${push(0)}${push(0)}${push(0)}${push(0)}${push(BigInt(`0x${contractAt(1).slice(2)}`))}${push(50_000)}f1`;
    return runCode(t, `${call}00`, { others: [callee] }).energy;
  };
  t.ok(spent('fe') > 50_000n);
  t.ok(spent('00') < 1000n);
});
