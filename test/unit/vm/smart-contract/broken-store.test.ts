import t from 'tap';
import {
  TransactionContractContractType as ContractType,
  CreateSmartContract,
  SmartContract,
} from '../../../../src/codec/generated/messages.js';
import { type Address, addressBytes } from '../../../../src/primitives/address.js';
import { fromHex } from '../../../../src/primitives/bytes.js';
import type { LongProperty } from '../../../../src/state-transition/parameters/property-table.js';
import { referenceInterpreter } from '../../../../src/vm/interpreter/reference-interpreter.js';
import type { CallFrame } from '../../../../src/vm/machine/frame.js';
import { storeBeginning } from '../../../../src/vm/smart-contract/broken-store.js';
import { push } from '../../../support/vm/run-code.js';
import { callContext, machineOn, OWNER, runContext, worldWith } from '../../../support/vm/vm-world.js';

const STOPS = '00';
const LEAVES_STOP = `${push(1)}${push(0)}f3`;
/**
 * Init code that returns nothing: RETURN STOP after two pushes. Before Constantinople, the code of the contract is the
 * bytes after RETURN STOP in the transaction.
 */
const LEAVES_NOTHING = `${push(0)}${push(0)}f300`;

function create(code: string, switches: readonly LongProperty[]) {
  const state = worldWith([], { switches: ['ALLOW_CREATION_OF_CONTRACTS', ...switches] });
  const newContract = Object.assign(new SmartContract(), {
    originAddress: addressBytes(OWNER),
    bytecode: fromHex(code),
    consumeUserResourcePercent: 100n,
    originEnergyLimit: 1n,
  });
  const parameter = Object.assign(new CreateSmartContract(), { ownerAddress: addressBytes(OWNER), newContract });
  const call = callContext(state, { data: new Uint8Array(0), energy: 1_000_000 });
  const contractType = ContractType.CreateSmartContract;
  const context = { ...call, transaction: { ...call.transaction, contractType, parameter } };
  const { run } = runContext(state, referenceInterpreter, context);
  const { contract, exception, energyUsed } = run;
  return {
    text: exception?.text,
    energyUsed,
    hasAccount: state.accounts.has(contract),
    hasContract: state.contracts.has(contract),
  };
}

const BROKEN = { text: 'Unknown Throwable', energyUsed: 1_000_000n, hasAccount: true, hasContract: false };

// Recorded from java-tron 4.7.2 on a chain with Constantinople but without multi-signing. The creations end with STOP
// or SELFDESTRUCT.
t.test('before the multi-sign proposal, the creation of a contract with empty code fails', async (t) => {
  t.match(create(STOPS, ['ALLOW_TVM_CONSTANTINOPLE']), BROKEN);
  t.match(create('30ff', ['ALLOW_TVM_CONSTANTINOPLE']), BROKEN);
  t.match(create(LEAVES_STOP, ['ALLOW_TVM_CONSTANTINOPLE']), { text: undefined, hasContract: true });
  t.match(create(STOPS, ['ALLOW_TVM_CONSTANTINOPLE', 'ALLOW_MULTI_SIGN']), { text: undefined, hasContract: true });
});

t.test('reads the code from the transaction until Constantinople', async (t) => {
  t.match(create(LEAVES_NOTHING, []), BROKEN);
  t.match(create(`${LEAVES_NOTHING}00`, []), { text: undefined, hasContract: true });
});

t.test('a failed creation keeps the code of contracts that the hash map of java-tron lists earlier', async (t) => {
  // In java-tron 4.7.2, both addresses are in one bucket of the hash map, in the order in which they received their
  // code.
  const made = '4167337ad6e39248448d552a96a600f678e12a90cc' as Address;
  const inner = '4103b8c22709cb6ae5d245fff3a995814926ce398e' as Address;
  const behind = '4167337ad6e39248448d552a96a600f678e12a90cd' as Address;
  const state = worldWith([]);
  const mark = state.mark();
  const machine = machineOn(state);
  for (const address of [made, inner, behind]) machine.created.add(address);
  for (const address of [inner, behind]) state.code.put(address, fromHex('01'));
  const frame = { context: made, energyLimit: 7, energyUsed: 3 } as CallFrame;
  t.equal(storeBeginning(machine, frame, mark).text, 'Unknown Throwable');
  t.equal(frame.energyUsed, 7);
  t.same([state.code.has(inner), state.code.has(behind)], [true, false]);
});
