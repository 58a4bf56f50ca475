import t from 'tap';
import { SmartContract, SmartContractABI, SmartContractABIEntry } from '../../../../src/codec/generated/messages.js';
import { keccak256 } from '../../../../src/crypto/hash.js';
import { keepAbi, putContract, refusedCode, saveCode } from '../../../../src/vm/machine/contract-rows.js';
import { addressOf } from '../../../support/vm/state-with.js';
import { ALL_SWITCHES, machineOn, worldWith } from '../../../support/vm/vm-world.js';

const NEW = addressOf(0x77);
const abi = Object.assign(new SmartContractABI(), { entrys: [new SmartContractABIEntry()] });

t.test('stores a contract and its ABI in separate rows', async (t) => {
  const state = worldWith([]);
  const machine = machineOn(state);
  putContract(machine, NEW, Object.assign(new SmartContract(), { abi, version: 1 }));
  t.same([state.contracts.get(NEW)?.abi, state.contracts.get(NEW)?.version], [undefined, 1]);
  t.equal(state.abis.get(NEW)?.entrys.length, 1);
  t.ok(machine.created.has(NEW));
  keepAbi(state, NEW);
  t.equal(state.abis.get(NEW)?.entrys.length, 1, 'an existing ABI is kept');
});

t.test('stores code with its hash since Constantinople, and no row for empty code', async (t) => {
  for (const [switches, hash] of [
    [ALL_SWITCHES, keccak256(Uint8Array.of(1))],
    [[], new Uint8Array(0)],
  ] as const) {
    const state = worldWith([], { switches });
    const machine = machineOn(state);
    putContract(machine, NEW, new SmartContract());
    saveCode(machine, NEW, Uint8Array.of(1));
    t.same([state.code.get(NEW), state.contracts.get(NEW)?.codeHash], [Uint8Array.of(1), hash]);
  }
  const state = worldWith([]);
  putContract(machineOn(state), NEW, new SmartContract());
  saveCode(machineOn(state), NEW, new Uint8Array(0));
  t.notOk(state.code.has(NEW));
});

t.test('rejects code that starts with 0xef since London', async (t) => {
  const code = Uint8Array.of(0xef);
  t.equal(refusedCode(machineOn(worldWith([])), code)?.text, 'invalid code: must not begin with 0xef');
  t.equal(refusedCode(machineOn(worldWith([], { switches: [] })), code), undefined);
  t.equal(refusedCode(machineOn(worldWith([])), Uint8Array.of(0, 0xef)), undefined);
});
