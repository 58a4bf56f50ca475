import { utf8 } from '../../../src/primitives/bytes.js';
import type { RandomChoices } from './random-choices.js';

/** Characters that an interface may escape, omit, or interpret as an end. */
const PIECES = [
  ...'aB"\'\\/<>&={}[]:,%+ $\b\t\n\f\r\0',
  '\u0001',
  '\u001f',
  '\u007f',
  '\u0080',
  '\u00e9',
  '\u2028',
  '\u2029',
  '\ufeff',
  '\ufffd',
  '\uffff',
  '\u{1f600}',
  '\u{10ffff}',
  '\u4e2d',
  '\\u0041',
  '</script>',
];
const PIECES_MAX = 12;

/** Returns a text with unusual characters. @param bytesMax maximum length in UTF-8 */
export function oddText(random: RandomChoices, bytesMax: number): string {
  let text = '';
  for (let left = random.below(PIECES_MAX); left > 0; left--) {
    const longer = text + random.pick(PIECES);
    if (utf8(longer).length > bytesMax) break;
    text = longer;
  }
  return text;
}

/** Returns bytes for a field that is shown as a text: in most cases valid UTF-8. */
export function oddTextBytes(random: RandomChoices, bytesMax: number): Uint8Array {
  return random.chance(0.8) ? utf8(oddText(random, bytesMax)) : random.bytes(random.below(Math.min(bytesMax, 30)));
}
