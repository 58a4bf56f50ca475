import t from 'tap';
import { failure } from '../../../../src/state-transition/vm-error.js';
import { CallFrame, type FrameInput } from '../../../../src/vm/machine/frame.js';
import { PlainMemory } from '../../../../src/vm/machine/memory.js';
import { addressOf } from '../../../support/vm/state-with.js';

const input: FrameInput = {
  code: Uint8Array.of(0),
  codeAddress: addressOf(1),
  context: addressOf(2),
  caller: 3n,
  callValue: 4n,
  tokenValue: 5n,
  tokenId: 6n,
  data: new Uint8Array(0),
  depth: 7,
  isStatic: false,
  energyLimit: 100,
  contractVersion: 1,
  hash: undefined,
};

t.test('exposes context words, remaining energy and failure of a frame', async (t) => {
  const frame = new CallFrame(input, new PlainMemory());
  t.equal(frame.contextWord, BigInt(`0x41${'02'.repeat(20)}`));
  frame.energyUsed = 30;
  t.equal(frame.energyLeft, 70);
  t.notOk(frame.isFailed);
  frame.isRevert = true;
  t.ok(frame.isFailed);
  t.ok(Object.assign(new CallFrame(input, new PlainMemory()), { exception: failure('x') }).isFailed);
});
