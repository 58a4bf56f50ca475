import t from 'tap';
import {
  ResourceReceipt,
  TransactionResultContractResult as Result,
} from '../../../../src/codec/generated/messages.js';
import { fromHex } from '../../../../src/primitives/bytes.js';
import type { LongProperty } from '../../../../src/state-transition/parameters/property-table.js';
import { WasmInterpreter } from '../../../../src/vm/interpreter/wasm-interpreter.js';
import { createSmartContractMachine } from '../../../../src/vm/smart-contract/machine.js';
import { lateClock } from '../../../support/vm/late-clock.js';
import { ALL_SWITCHES, callContext, worldWith } from '../../../support/vm/vm-world.js';

// Tests how the results of transactions change with proposals 81 and 96 and with block version 35.

const without = (...names: LongProperty[]) => ALL_SWITCHES.filter((name) => !names.includes(name));
const ENERGY = 50_000_000;

interface Case {
  readonly code: string;
  readonly switches?: readonly LongProperty[];
  /** True if the time limit of 50 ms is over at the first check. */
  readonly isLate?: boolean;
  readonly isForked?: boolean;
}

function run({ code, switches = ALL_SWITCHES, isLate = false, isForked = false }: Case) {
  const properties = { MAX_FEE_LIMIT: 10n ** 12n, MAX_CPU_TIME_OF_ONE_TX: 50n };
  const state = worldWith([fromHex(code)], { switches, properties, debug: false });
  if (isForked) state.properties.setForkStats(35, new Uint8Array(27).fill(1));
  const machine = createSmartContractMachine(() => undefined, {
    interpreter: new WasmInterpreter(),
    now: isLate ? lateClock() : () => 0,
  });
  const context = callContext(state, { data: new Uint8Array(0), energy: ENERGY });
  return machine.run(state, context, new ResourceReceipt());
}

t.test('counts the time after the last operation since proposal 81', async (t) => {
  const late = run({ code: '00', isLate: true });
  t.equal(late.resultCode, Result.OUT_OF_TIME);
  t.equal(late.runtimeError, "CPU timeout for 'STOP(TX_LAST_OP)' operation executing");
  t.match(run({ code: '5f5fa05f5ff3', isLate: true }).runtimeError, /RETURN\(TX_LAST_OP\)/);
  t.equal(run({ code: '00', isLate: true, switches: without('ALLOW_ENERGY_ADJUSTMENT') }).resultCode, Result.SUCCESS);
  t.equal(run({ code: '00' }).resultCode, Result.SUCCESS);
});

t.test('drops the logs of a timed-out transaction since proposal 96', async (t) => {
  const code = '5f5fa05f5ff3';
  t.equal(run({ code }).logs.length, 1, 'the contract emits a log');
  t.equal(run({ code, isLate: true }).logs.length, 0);
  const before = run({ code, isLate: true, switches: without('ALLOW_TVM_OSAKA') });
  t.equal(before.resultCode, Result.OUT_OF_TIME);
  t.equal(before.logs.length, 1, 'the logs were kept before proposal 96');
});

t.test(
  'ends a transaction for CREATE2 at depth 64 since block version 35, and returns 0 since proposal 96',
  async (t) => {
    // Code that calls CREATE2 with itself as init code.
    const code = '38600060003960003860006000f500';
    const old = without('ALLOW_TVM_COMPATIBLE_EVM', 'ALLOW_TVM_OSAKA');
    const ended = run({ code, switches: old, isForked: true });
    t.equal(ended.resultCode, Result.OUT_OF_TIME);
    t.equal(ended.runtimeError, 'CPU timeout for create2 executing');
    t.not(run({ code, switches: old }).resultCode, Result.OUT_OF_TIME, 'before block version 35, execution continued');
    const osaka = without('ALLOW_TVM_COMPATIBLE_EVM');
    t.equal(run({ code, switches: osaka, isForked: true }).resultCode, Result.SUCCESS);
  },
);

t.test('clears the return data on CREATE2 since proposal 96', async (t) => {
  // Code that calls the identity precompile with a word, and then CREATE2 with a value above the balance. It returns
  // RETURNDATASIZE.
  const code = '5f5f60205f60045afa505f5f5f677ffffffffffffffff5503d5f5260205ff3';
  const size = (switches: readonly LongProperty[]) =>
    Buffer.from(run({ code, switches }).returnData).toString('hex').replace(/^0+/, '');
  t.equal(size(ALL_SWITCHES), '');
  t.equal(size(without('ALLOW_TVM_OSAKA')), '20');
});
