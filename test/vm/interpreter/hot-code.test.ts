import t from 'tap';
import { ContractState } from '../../../src/log/codec/generated/messages.js';
import { fromHex } from '../../../src/log/domain/bytes.js';
import { FastInterpreter } from '../../../src/vm/interpreter/fast.js';
import { plainInterpreter } from '../../../src/vm/interpreter/plain.js';
import { callWorld, contractAt, worldWith } from './vm-world.js';

// The same code runs for contracts at different prices of energy, one inside the other: with data contract 0 calls contract
// 1, which runs contract 0's code in its own name, and does its sums only after that.
const ZERO = '6000';
const address = (index: number) => `73${contractAt(index).slice(2)}`;
const SUM = '600260030250';
const CALL_NEXT = `${ZERO.repeat(5)}${address(1)}5af150`;
const body = CALL_NEXT + SUM.repeat(20);
const end = (5 + body.length / 2).toString(16).padStart(2, '0');
const caller = fromHex(`361560${end}57${body}5b00`);
const delegator = fromHex(`${ZERO.repeat(4)}${address(0)}5af45000`);

/** @param factors what the contracts' energy costs on top, in 1/10000. @returns energy of a call: all, and the penalty */
function energyOf(interpreter: FastInterpreter | typeof plainInterpreter, factors: readonly bigint[]) {
  const state = worldWith([caller, delegator], { properties: { ALLOW_DYNAMIC_ENERGY: 1n } });
  for (const [i, energyFactor] of factors.entries()) {
    state.contractStates.put(contractAt(i), Object.assign(new ContractState(), { updateCycle: 7n, energyFactor }));
  }
  const { run } = callWorld(state, interpreter, { data: Uint8Array.of(1), energy: 100_000 });
  return { result: run.resultCode, energy: run.energyUsed, penalty: run.energyPenalty };
}

t.test('a hot contract pays its own price after its code ran at another', async (t) => {
  const fast = new FastInterpreter();
  const prices = [[], [2000n], [2000n, 34_000n], [34_000n, 2000n], [0n, 2000n], [2000n, 0n]];
  for (const factors of prices) {
    t.same(energyOf(fast, factors), energyOf(plainInterpreter, factors), `prices ${factors.join(' and ')}`);
  }
  t.not(energyOf(fast, [2000n, 34_000n]).penalty, energyOf(fast, [34_000n, 2000n]).penalty, 'the prices count');
});
