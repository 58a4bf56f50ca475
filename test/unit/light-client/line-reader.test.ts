import t from 'tap';
import { LightChain } from '../../../src/light-client/light-chain.js';
import { LineReader } from '../../../src/light-client/line-reader.js';

const MIB = 1024 * 1024;
const none = { applied: () => undefined, reverted: () => undefined, event: () => undefined };

t.test('stops at an endless line, but accepts a long event in many parts', async (t) => {
  const part = Buffer.alloc(MIB, 'a');
  const endless = new LineReader(new LightChain(), none);
  t.throws(() => {
    for (let at = 0; at < 20; at++) endless.read(part);
  }, /more than 8388608 characters/);
  const reader = new LineReader(new LightChain(), none);
  reader.read(Buffer.from('{"type":"event","data":"'));
  for (let at = 0; at < 7; at++) reader.read(part);
  t.doesNotThrow(() => reader.read(Buffer.from('"}\n')));
});
