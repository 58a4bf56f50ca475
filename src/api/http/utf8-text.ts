import { JavaError } from '../../java-compat/java-error.js';

/**
 * Transitions of the decoder, by state: valid range of the next byte, and the state after it. State 2 expects one more
 * byte, state 3 two more. States 4 to 8 follow the first bytes e0, ed, f0, f1 and f4.
 */
const STEPS: ReadonlyMap<number, readonly [from: number, to: number, next: number]> = new Map([
  [2, [0x80, 0xbf, 0]],
  [3, [0x80, 0xbf, 2]],
  [4, [0xa0, 0xbf, 2]],
  [5, [0x80, 0x9f, 2]],
  [6, [0x90, 0xbf, 3]],
  [7, [0x80, 0xbf, 3]],
  [8, [0x80, 0x8f, 3]],
]);

/**
 * Builds a text from characters and from UTF-8 bytes. Characters can be added only if no multi-byte sequence is
 * incomplete. Reference: org.eclipse.jetty.util.Utf8Appendable.
 */
export class Utf8Text {
  private text = '';
  private pending: number[] = [];
  private state = 0;

  /** Adds characters. @throws {JavaError} NotUtf8Exception: a multi-byte sequence is incomplete */
  addText(text: string): void {
    if (this.state !== 0) throw notUtf8(`char appended in state ${this.state * 12}`);
    this.text += text;
  }

  /** Adds a byte. @throws {JavaError} NotUtf8Exception: the byte is invalid */
  addByte(byte: number): void {
    const next = this.state === 0 ? stateBehind(byte) : within(this.state, byte);
    if (next === undefined) {
      throw notUtf8(`byte ${shownByte(byte)} in state ${this.state}`);
    }
    this.pending.push(byte);
    this.state = next;
    if (next !== 0) return;
    this.text += Buffer.from(this.pending).toString();
    this.pending = [];
  }

  /** Returns the text and clears it. An incomplete sequence becomes a replacement character. */
  take(): string {
    const text = this.state === 0 ? this.text : `${this.text}\ufffd`;
    this.text = '';
    this.pending = [];
    this.state = 0;
    return text;
  }
}

/** Returns the decoder state after the first byte of a character; undefined if the byte is invalid. */
function stateBehind(byte: number): number | undefined {
  if (byte < 0x80) return 0;
  if (byte < 0xc2 || byte > 0xf4) return undefined;
  if (byte < 0xe0) return 2;
  if (byte === 0xe0) return 4;
  if (byte === 0xed) return 5;
  if (byte < 0xf0) return 3;
  if (byte === 0xf0) return 6;
  return byte === 0xf4 ? 8 : 7;
}

function within(state: number, byte: number): number | undefined {
  const [from, to, next] = STEPS.get(state) ?? [1, 0, 0];
  return byte >= from && byte <= to ? next : undefined;
}

/**
 * Formats a byte as two hex digits, of which only the first is upper case. Reference:
 * org.eclipse.jetty.util.TypeUtil.toHexString
 */
function shownByte(byte: number): string {
  return (byte >> 4).toString(16).toUpperCase() + (byte & 0xf).toString(16);
}

export function notUtf8(reason: string): JavaError {
  return new JavaError('org.eclipse.jetty.util.Utf8Appendable$NotUtf8Exception', `Not valid UTF8! ${reason}`);
}
