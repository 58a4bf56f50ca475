import t from 'tap';
import { ContractState } from '../../../../src/codec/generated/messages.js';
import { fromHex } from '../../../../src/primitives/bytes.js';
import { referenceInterpreter } from '../../../../src/vm/interpreter/reference-interpreter.js';
import { WasmInterpreter } from '../../../../src/vm/interpreter/wasm-interpreter.js';
import type { Interpreter } from '../../../../src/vm/machine/machine.js';
import { callWorld, contractAt, worldWith } from '../../../support/vm/vm-world.js';

// Contracts with different energy factors run the same code in nested calls. With call data, contract 0 first calls
// contract 1 and then computes sums. Contract 1 runs the code of contract 0 in a delegate call.
const ZERO = '6000';
const address = (index: number) => `73${contractAt(index).slice(2)}`;
const SUM = '600260030250';
const CALL_NEXT = `${ZERO.repeat(5)}${address(1)}5af150`;
const body = CALL_NEXT + SUM.repeat(20);
const end = (5 + body.length / 2).toString(16).padStart(2, '0');
const caller = fromHex(`361560${end}57${body}5b00`);
const delegator = fromHex(`${ZERO.repeat(4)}${address(0)}5af45000`);

interface World {
  readonly codes: readonly Uint8Array[];
  /** Energy factors of the contracts, in 1/10000. */
  readonly factors: readonly bigint[];
}

/** Calls contract 0. Returns the used energy and the penalty of dynamic energy. */
function energyOf(interpreter: Interpreter, { codes, factors }: World) {
  const state = worldWith(codes, { properties: { ALLOW_DYNAMIC_ENERGY: 1n } });
  for (const [i, energyFactor] of factors.entries()) {
    state.contractStates.put(contractAt(i), Object.assign(new ContractState(), { updateCycle: 7n, energyFactor }));
  }
  const { run } = callWorld(state, interpreter, { data: Uint8Array.of(1), energy: 100_000 });
  return { result: run.resultCode, energy: run.energyUsed, penalty: run.energyPenalty };
}

t.test('charges a contract its own energy factor after its code ran with another', async (t) => {
  const fast = new WasmInterpreter();
  const prices = [[], [2000n], [2000n, 34_000n], [34_000n, 2000n], [0n, 2000n], [2000n, 0n]];
  const codes = [caller, delegator];
  for (const factors of prices) {
    const world = { codes, factors };
    t.same(energyOf(fast, world), energyOf(referenceInterpreter, world), `factors ${factors.join(' and ')}`);
  }
  const penalties = [prices[2]!, prices[3]!].map((factors) => energyOf(fast, { codes, factors }).penalty);
  t.not(penalties[0], penalties[1], 'the factors change the penalty');
});

t.test('fails TSTORE in a static call before it charges the next operations', async (t) => {
  const storer = fromHex(`${SUM.repeat(3)}${ZERO.repeat(2)}5d${SUM.repeat(20)}00`);
  const world = { codes: [fromHex(`${ZERO.repeat(4)}${address(1)}5afa00`), storer], factors: [0n, 2000n] };
  const paid = energyOf(referenceInterpreter, world);
  t.same(energyOf(new WasmInterpreter(), world), paid);
  t.equal(
    paid.penalty,
    BigInt(3 * 1 + 100 / 5),
    'three multiplications and the store; the penalty of a push is below one unit',
  );
});
