import t from 'tap';
import { fromHex } from '../../../../src/primitives/bytes.js';
import { WasmInterpreter } from '../../../../src/vm/interpreter/wasm-interpreter.js';
import { callWorld, contractAt, worldWith } from '../../../support/vm/vm-world.js';

t.test('traces every operation and call without a change of the result', async (t) => {
  const inner = fromHex('600160020160005260206000f3');
  const outer = fromHex(`60206000600060006000${'73'}${contractAt(1).slice(2)}61fffff160005160005260206000f3`);
  const interpreter = new WasmInterpreter();
  const steps: string[] = [];
  const calls: string[] = [];
  const hooks = {
    step: (
      run: { frame: { depth: number; energyLeft: number }; stack: readonly bigint[] },
      pc: number,
      opcode: number,
    ) => {
      steps.push(`${run.frame.depth} ${pc} ${opcode.toString(16)} ${run.stack.length}`);
    },
    enter: (frame: { context: string }, kind: string) => calls.push(`${kind} ${frame.context.slice(-2)}`),
    leave: (frame: { context: string; returnData: Uint8Array }) =>
      calls.push(`end ${frame.context.slice(-2)} ${frame.returnData[31]}`),
  };
  const watched = callWorld(worldWith([outer, inner]), interpreter, {
    data: new Uint8Array(0),
    energy: 100_000,
    hooks,
  });
  const plain = callWorld(worldWith([outer, inner]), interpreter, { data: new Uint8Array(0), energy: 100_000 });
  t.same(watched.run.returnData, plain.run.returnData);
  t.equal(watched.run.energyUsed, plain.run.energyUsed);
  t.equal(watched.run.returnData[31], 3);
  t.same(calls, ['CALL 00', 'CALL 01', 'end 01 3', 'end 00 3']);
  t.ok(steps.includes('1 4 1 2'), 'ADD in the inner call, with two words on the stack');
});
