import t from 'tap';
import { fromHex, toHex } from '../../../../src/primitives/bytes.js';
import { VmError } from '../../../../src/state-transition/vm-error.js';
import { at, bytesArray, outward, signatureArray, wordArray } from '../../../../src/vm/precompiles/java-arrays.js';

const word = (value: number | bigint) => value.toString(16).padStart(64, '0');
const input = (...words: (number | bigint)[]) => fromHex(words.map(word).join(''));

t.test('decodes an array of words from a count and words', async (t) => {
  const data = input(9, 2, 5, 6);
  t.same(wordArray(data, 1).map(toHex), [word(5), word(6)]);
  t.throws(() => wordArray(data, 2), RangeError);
  t.throws(() => wordArray(data, 4), { message: 'Index 4 out of bounds for length 4' });
  t.throws(
    () => at(data.subarray(0, 127), 3),
    { message: 'Index 3 out of bounds for length 3' },
    'an incomplete word is out of bounds',
  );
});

t.test('decodes an array of bytes from a count, offsets and sized items', async (t) => {
  const data = input(1, 32, 3, 0x010203n << 232n);
  const list = bytesArray(data, 0);
  t.same([list.count, toHex(list.at(0))], [1, '010203']);
  t.equal(bytesArray(data, 4).count, 0, 'an offset after the input means an empty array');
  const signatures = signatureArray(data, 0);
  t.equal(signatures.at(0).length, 65, 'a signature has 65 bytes for any stated length');
});

// Error texts of arrays in Java 8, on which java-tron runs.
t.test('fails like Java arrays for sizes out of bounds', async (t) => {
  const text = (run: () => unknown) => {
    try {
      outward(run);
    } catch (error) {
      return error instanceof VmError ? `${error.javaClass}: ${error.text}` : String(error);
    }
    return undefined;
  };
  const far = input(1, 32 * 100, 3);
  t.equal(
    text(() => signatureArray(far, 0)),
    'java.lang.ArrayIndexOutOfBoundsException: arraycopy: length -3168 is negative',
  );
  const many = input(2 ** 31 - 1);
  t.equal(
    text(() => wordArray(many, 0)),
    'java.lang.RuntimeException: Unknown Throwable',
    'larger than any heap',
  );
  t.equal(
    text(() => at(new Uint8Array(31), 0)),
    'java.lang.ArrayIndexOutOfBoundsException: Index 0 out of bounds for length 0',
  );
  t.throws(
    () =>
      outward(() => {
        throw new TypeError('a bug');
      }),
    TypeError,
  );
});
