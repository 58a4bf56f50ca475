import t from 'tap';
import {
  TransactionContractContractType as ContractType,
  CreateSmartContract,
  SmartContract,
} from '../../../../src/codec/generated/messages.js';
import { addressBytes } from '../../../../src/primitives/address.js';
import { fromHex, utf8 } from '../../../../src/primitives/bytes.js';
import { VERSION } from '../../../../src/state-transition/parameters/block-versions.js';
import { referenceInterpreter } from '../../../../src/vm/interpreter/reference-interpreter.js';
import { push } from '../../../support/vm/run-code.js';
import { callContext, OWNER, runContext, type WorldOptions, worldWith } from '../../../support/vm/vm-world.js';

/** Init code that deploys a contract with one byte of code. */
const LEAVES_STOP = `${push(1)}${push(0)}f3`;
const FAILS = 'fe';

function create(fields: Partial<SmartContract>, options: WorldOptions, code = LEAVES_STOP) {
  const state = worldWith([], options);
  const newContract = Object.assign(new SmartContract(), {
    originAddress: addressBytes(OWNER),
    bytecode: fromHex(code),
    consumeUserResourcePercent: 100n,
    originEnergyLimit: 1n,
    ...fields,
  });
  const parameter = Object.assign(new CreateSmartContract(), { ownerAddress: addressBytes(OWNER), newContract });
  const call = callContext(state, { data: new Uint8Array(0), energy: 1_000_000 });
  const contractType = ContractType.CreateSmartContract;
  const context = { ...call, transaction: { ...call.transaction, contractType, parameter } };
  const { run } = runContext(state, referenceInterpreter, context);
  return { text: run.exception?.text, energy: run.energyUsed, hasCode: state.code.has(run.contract) };
}

const before: WorldOptions = {};
const since: WorldOptions = { passed: VERSION.V4_8_2_2 };
const named: readonly Partial<SmartContract>[] = [{ codeHash: utf8('code') }, { trxHash: utf8('transaction') }];

// Reference: ContractHashValidationTest of java-tron 4.8.2.2, VMActuator.execute.
t.test('times out a creation whose request sets contract hashes since 4.8.2.2', async (t) => {
  for (const fields of named) {
    t.match(create(fields, before), { text: undefined, hasCode: true });
    t.same(create(fields, since), { text: 'CPU timeout for contract hash fields', energy: 1_000_000n, hasCode: false });
    t.equal(
      create(fields, since, FAILS).text,
      'CPU timeout for contract hash fields',
      'regardless of the result of the constructor',
    );
  }
  t.match(create({}, since), { text: undefined, hasCode: true });
});
