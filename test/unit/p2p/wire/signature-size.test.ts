import t from 'tap';
import { isSignatureSize } from '../../../../src/p2p/wire/signature-size.js';

t.test('accepts a signature of 65 to 68 bytes', async (t) => {
  t.same([0, 64, 65, 68, 69].map(isSignatureSize), [false, false, true, true, false]);
});
