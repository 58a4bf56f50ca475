import { itemAt } from '../../primitives/assert.js';
import { UsageError } from '../../primitives/errors.js';
import { hoconInt64 } from './hocon-value.js';

/** A token. `blank` is white space within a line. Between two pieces, it is part of a value. */
export type Token =
  | { readonly kind: Mark | 'newline' | 'end'; readonly text: string; readonly line: number }
  | { readonly kind: Piece | 'blank'; readonly text: string; readonly line: number }
  | {
      readonly kind: 'reference';
      readonly text: string;
      readonly line: number;
      readonly optional: boolean;
      readonly path: Token[];
    };
type Mark = '{' | '}' | '[' | ']' | ',' | '=' | ':' | '+=';
type Piece = 'quoted' | 'text' | 'number' | 'boolean' | 'null';

/** Characters that end an unquoted text. Those without a meaning in HOCON are reserved. */
const NOT_IN_TEXT = '$"{}[]:=,+#`^?!@*&\\';
const MARKS = '{}[],=:';
const LITERALS = [
  ['true', 'boolean'],
  ['false', 'boolean'],
  ['null', 'null'],
] as const;

/** Splits HOCON text into tokens. @throws {UsageError} invalid token; the message is one sentence with `file: line` */
export function tokenize(text: string, file: string): Token[] {
  return new Tokenizer(text, file).all();
}

class Tokenizer {
  private readonly text: string;
  private readonly file: string;
  private at = 0;
  private line = 1;

  constructor(text: string, file: string) {
    this.text = text;
    this.file = file;
  }

  all(): Token[] {
    const tokens: Token[] = [];
    for (;;) {
      const token = this.next();
      tokens.push(token);
      if (token.kind === 'end') return tokens;
    }
  }

  private next(): Token {
    this.skipComment();
    const { line } = this;
    const char = this.text[this.at];
    if (char === undefined) return { kind: 'end', text: 'end of file', line };
    if (char === '\n') {
      this.at++;
      this.line++;
      return { kind: 'newline', text: 'newline', line };
    }
    if (isBlank(char)) return { kind: 'blank', text: this.take(isBlank), line };
    if (char === '"') return { kind: 'quoted', text: this.quoted(), line };
    if (char === '$') return this.reference();
    if (char === '+') return this.plusEquals();
    if (MARKS.includes(char)) {
      this.at++;
      return { kind: char as Mark, text: char, line };
    }
    if (NOT_IN_TEXT.includes(char)) throw this.error(`reserved character '${char}' is not allowed outside quotes`);
    return this.number() ?? this.unquoted();
  }

  private skipComment(): void {
    if (this.text[this.at] !== '#' && !this.text.startsWith('//', this.at)) return;
    this.take((char) => char !== '\n');
  }

  /**
   * Reads a number and keeps its spelling. Returns a text token for integers beyond 64 bits, and for texts that only
   * start like a number (`10.0.0.1`, `1-2`).
   */
  private number(): Token | undefined {
    if (!/[0-9-]/.test(this.text[this.at] ?? '')) return undefined;
    const start = this.at;
    const text = this.take((char) => '0123456789eE+-.'.includes(char));
    if (hoconInt64(text) !== undefined || (/[.eE]/.test(text) && /^-?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?$/.test(text)))
      return { kind: 'number', text, line: this.line };
    if (text.includes('+')) throw this.error(`reserved character '+' is not allowed outside quotes`);
    this.at = start + text.length;
    return { kind: 'text', text, line: this.line };
  }

  private unquoted(): Token {
    for (const [text, kind] of LITERALS)
      if (this.text.startsWith(text, this.at)) {
        this.at += text.length;
        return { kind, text, line: this.line };
      }
    const start = this.at;
    while (this.at < this.text.length) {
      const char = itemAt(this.text, this.at);
      if (char === '\n' || isBlank(char) || NOT_IN_TEXT.includes(char) || this.text.startsWith('//', this.at)) break;
      this.at++;
    }
    return { kind: 'text', text: this.text.slice(start, this.at), line: this.line };
  }

  private plusEquals(): Token {
    if (this.text[this.at + 1] !== '=') throw this.error(`reserved character '+' is not allowed outside quotes`);
    this.at += 2;
    return { kind: '+=', text: '+=', line: this.line };
  }

  private reference(): Token {
    const { line } = this;
    const start = this.at;
    if (this.text[this.at + 1] !== '{') throw this.error(`'$' is not followed by '{'`);
    this.at += 2;
    const optional = this.text[this.at] === '?';
    if (optional) this.at++;
    const path: Token[] = [];
    for (;;) {
      const token = this.next();
      if (token.kind === '}') break;
      if (token.kind === 'end' || token.kind === 'newline')
        throw this.error('a substitution is not closed with }', line);
      path.push(token);
    }
    return { kind: 'reference', text: this.text.slice(start, this.at), line, optional, path };
  }

  private quoted(): string {
    if (this.text.startsWith('"""', this.at)) return this.tripleQuoted();
    const { line } = this;
    let text = '';
    for (this.at++; ; this.at++) {
      const char = this.text[this.at];
      if (char === '"') {
        this.at++;
        return text;
      }
      if (char === undefined) throw this.error('end of file inside a quoted string', line);
      if (char < ' ') throw this.error('a quoted string may not contain a line break or control character', line);
      text += char === '\\' ? this.escape() : char;
    }
  }

  /**
   * Reads a triple-quoted string. If it ends with more than three quotes, the last three close it, and the others are
   * part of it.
   */
  private tripleQuoted(): string {
    const { line } = this;
    const start = this.at + 3;
    let end = this.text.indexOf('"""', start);
    if (end < 0) throw this.error('end of file inside a triple-quoted string', line);
    while (this.text[end + 3] === '"') end++;
    this.at = end + 3;
    const text = this.text.slice(start, end);
    this.line += text.split('\n').length - 1;
    return text;
  }

  private escape(): string {
    const char = this.text[++this.at] ?? '';
    const plain = ESCAPES.get(char);
    if (plain !== undefined) return plain;
    const hex = this.text.slice(this.at + 1, this.at + 5);
    if (char !== 'u' || !/^[0-9a-fA-F]{4}$/.test(hex))
      throw this.error(`invalid escape sequence '\\${char}' in a string`);
    this.at += 4;
    return String.fromCharCode(Number.parseInt(hex, 16));
  }

  private take(accepts: (char: string) => boolean): string {
    const start = this.at;
    while (this.at < this.text.length && accepts(itemAt(this.text, this.at))) this.at++;
    return this.text.slice(start, this.at);
  }

  private error(what: string, line = this.line): UsageError {
    return new UsageError(`${this.file}: ${line}: ${what}`);
  }
}

const ESCAPES = new Map([
  ['"', '"'],
  ['\\', '\\'],
  ['/', '/'],
  ['b', '\b'],
  ['f', '\f'],
  ['n', '\n'],
  ['r', '\r'],
  ['t', '\t'],
]);

/** Returns true for the byte order mark and for white space of Java, except the line feed. */
function isBlank(char: string): boolean {
  return char !== '\n' && (/\s/.test(char) || (char >= '\x1c' && char <= '\x1f'));
}
