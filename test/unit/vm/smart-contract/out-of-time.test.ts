import t from 'tap';
import {
  ResourceReceipt,
  TransactionResultContractResult as Result,
} from '../../../../src/codec/generated/messages.js';
import { fromHex } from '../../../../src/primitives/bytes.js';
import type { BlockContext } from '../../../../src/state-transition/transaction.js';
import { referenceInterpreter } from '../../../../src/vm/interpreter/reference-interpreter.js';
import { WasmInterpreter } from '../../../../src/vm/interpreter/wasm-interpreter.js';
import type { Interpreter } from '../../../../src/vm/machine/machine.js';
import { createSmartContractMachine } from '../../../../src/vm/smart-contract/machine.js';
import { cpuMs } from '../../../support/cpu-clock.js';
import { lateClock } from '../../../support/vm/late-clock.js';
import { callContext, contractAt, worldWith } from '../../../support/vm/vm-world.js';

const ENERGY = 900_000_000;
const PROPERTIES = { MAX_FEE_LIMIT: 10n ** 12n, MAX_CPU_TIME_OF_ONE_TX: 50n };
const ENDLESS = '5b600056';
/**
 * Code that reads its own balance in an endless loop. JavaScript executes one operation of each iteration, outside of
 * the compiled loop.
 */
const READS_BALANCE = '5b4750600056';
/** Code that calls itself in an endless recursion. So each call starts another program. */
const CALLING = `5b600080808080${`73${contractAt(0).slice(2)}`}5a60029004f150600056`;

interface Case {
  readonly code: string;
  readonly interpreter: Interpreter;
  readonly block?: Partial<BlockContext>;
  readonly mark?: number;
  readonly debug?: boolean;
  readonly now?: () => number;
}

function run({ code, interpreter, block = {}, mark, debug = false, now = Date.now }: Case) {
  const state = worldWith([fromHex(code)], { properties: PROPERTIES, debug });
  const machine = createSmartContractMachine(() => undefined, { interpreter, now });
  const context = callContext(state, { data: new Uint8Array(0), energy: ENERGY, block, ...(mark && { mark }) });
  const started = cpuMs();
  const result = machine.run(state, context, new ResourceReceipt());
  return { ...result, elapsedMs: cpuMs() - started };
}

for (const [engine, interpreter] of [
  ['fast', new WasmInterpreter()],
  ['plain', referenceInterpreter],
] as const) {
  for (const [name, code] of Object.entries({ ENDLESS, READS_BALANCE, CALLING })) {
    t.test(`${engine}: ${name} times out while this node packs it`, async (t) => {
      const { resultCode, runtimeError, elapsedMs } = run({ code, interpreter });
      t.equal(resultCode, Result.OUT_OF_TIME);
      t.match(runtimeError, /^CPU timeout for '[A-Z0-9]+' operation executing$/);
      t.ok(elapsedMs < 10_000, `${elapsedMs} ms`);
    });
  }

  t.test(`${engine}: ignores the local clock for a signed block`, async (t) => {
    const late = (block: Partial<BlockContext>) =>
      run({ code: '00', interpreter, block, mark: Result.SUCCESS, now: lateClock() }).resultCode;
    t.equal(late({ isSigned: true }), Result.SUCCESS);
    t.equal(late({ isSigned: false }), Result.OUT_OF_TIME);
  });

  t.test(`${engine}: accepts the timeout of a signed block`, async (t) => {
    const marked = { code: ENDLESS, interpreter, mark: Result.OUT_OF_TIME } as const;
    t.equal(
      run({ ...marked, block: { isSigned: true } }).runtimeError,
      "CPU timeout for 'JUMPDEST' operation executing",
    );
    const own = run({ ...marked, block: { isSigned: true, isOwn: true } });
    t.equal(own.resultCode, Result.OUT_OF_TIME);
    t.equal(own.runtimeError, 'Already Time Out');
    const noClock = run({ ...marked, code: '00', block: { isSigned: true }, debug: true });
    t.equal(noClock.resultCode, Result.SUCCESS);
  });
}
