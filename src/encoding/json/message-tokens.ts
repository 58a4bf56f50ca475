import { JavaError } from '../../java-compat/java-error.js';
import { parseBigInteger, parseLong } from '../../java-compat/number.js';

const INFINITY = /^-?inf(inity)?$/i;

/**
 * Tokenizer of the tolerant JSON of messages. Names may be unquoted or in double quotes, and strings in single or
 * double quotes. Numbers are decimal, hex after `0x`, or octal after a leading zero. `#` starts a comment. Reference:
 * JsonFormat.Tokenizer.
 */
export class MessageTokens {
  /** The current token; an empty text at the end. */
  current = '';
  private readonly text: string;
  /** Start of the next token. */
  private next = 0;
  private start = 0;
  private line = 0;
  private column = 0;
  private previousLine = 0;
  private previousColumn = 0;

  constructor(text: string) {
    this.text = text;
    this.skipBlank();
    this.advance();
  }

  get isAtEnd(): boolean {
    return this.current.length === 0;
  }

  advance(): void {
    this.previousLine = this.line;
    this.previousColumn = this.column;
    for (; this.start < this.next; this.start++) {
      if (this.text.charCodeAt(this.start) === 10) {
        this.line++;
        this.column = 0;
      } else this.column++;
    }
    if (this.next >= this.text.length) {
      this.current = '';
      return;
    }
    const end = this.endOfToken();
    this.current = this.text.slice(this.next, end);
    this.next = end;
    this.skipBlank();
  }

  /** Moves past the current token if it is equal to `token`. @returns true if it is equal */
  take(token: string): boolean {
    if (this.current !== token) return false;
    this.advance();
    return true;
  }

  /** Moves past the current token. @throws {JavaError} ParseException: the current token is not equal to `token` */
  expect(token: string): void {
    if (!this.take(token)) throw this.error(`Expected "${token}".`);
  }

  get isInteger(): boolean {
    return /^[0-9+-]/.test(this.current);
  }

  /** Reads a name and removes quotes around it. */
  identifier(): string {
    const odd = /[^a-zA-Z0-9_."]/.exec(this.current);
    if (odd !== null) throw this.error(`Expected identifier. -${odd[0]}`);
    const name = this.current.replaceAll('"', '');
    this.advance();
    return name;
  }

  /** Reads an integer of 32 or 64 bits. */
  integer(bits: 32 | 64): bigint {
    const value = this.parseInteger(bits);
    this.advance();
    return value;
  }

  double(): number {
    const { current } = this;
    let value: number;
    if (INFINITY.test(current)) value = current.startsWith('-') ? -Infinity : Infinity;
    else if (current.toLowerCase() === 'nan') value = Number.NaN;
    else if (/^[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?[dDfF]?$/.test(current)) value = Number.parseFloat(current);
    else throw this.error(`Couldn't parse number: For input string: "${current}"`);
    this.advance();
    return value;
  }

  boolean(): boolean {
    const { current } = this;
    if (current !== 'true' && current !== 'false') throw this.error('Expected "true" or "false".');
    this.advance();
    return current === 'true';
  }

  /** Reads a quoted text and resolves its escapes. */
  string(): string {
    const value = this.unescape(this.quoted());
    this.advance();
    return value;
  }

  /** Returns the text between the quotes of the current token. Does not move past the token. */
  quoted(): string {
    const { current } = this;
    const quote = current[0];
    if (quote !== '"' && quote !== "'") throw this.error('Expected string.');
    if (current.length < 2 || !current.endsWith(quote)) throw this.error('String missing ending quote.');
    return current.slice(1, -1);
  }

  /** Creates an error with the position of the current token. */
  error(text: string): JavaError {
    return parseError(this.line, this.column, text);
  }

  /** Creates an error with the position of the previous token. */
  errorBefore(text: string): JavaError {
    return parseError(this.previousLine, this.previousColumn, text);
  }

  private parseInteger(bits: 32 | 64): bigint {
    const { current } = this;
    try {
      let digits = current.startsWith('-') ? current.slice(1) : current;
      let radix = 10;
      if (digits.startsWith('0x')) {
        digits = digits.slice(2);
        radix = 16;
      } else if (digits.startsWith('0')) radix = 8;
      const size = digits.length < SHORT_DIGITS ? parseLong(digits, radix) : parseBigInteger(digits, radix);
      const value = current.startsWith('-') ? -size : size;
      if (BigInt.asIntN(bits, value) === value) return value;
      throw new JavaError('', `Number out of range for ${bits}-bit signed integer: ${current}`);
    } catch (error) {
      throw this.error(`Couldn't parse integer: ${(error as JavaError).text}`);
    }
  }

  private unescape(text: string): string {
    if (!text.includes('\\')) return text;
    let result = '';
    for (let at = 0; at < text.length; at++) {
      if (text[at] !== '\\') {
        result += text[at];
        continue;
      }
      const char = text[++at];
      if (char === undefined) throw this.error("Invalid escape sequence: '\\' at end of string.");
      const simple = ESCAPES[char];
      if (simple !== undefined) result += simple;
      else if (char !== 'u') throw this.error(`Invalid escape sequence: '\\${char}'`);
      else if (at + 4 >= text.length) throw this.error("Invalid escape sequence: '\\u' at end of string.");
      else {
        result += String.fromCharCode(Number(parseLong(text.slice(at + 1, at + 5), 16) & 0xffffn));
        at += 4;
      }
    }
    return result;
  }

  private skipBlank(): void {
    const { text } = this;
    for (;;) {
      const code = text.charCodeAt(this.next);
      if (code === 32 || (code >= 9 && code <= 13)) this.next++;
      else if (code === 35) {
        while (this.next < text.length && !isLineEnd(text.charCodeAt(this.next))) this.next++;
      } else return;
    }
  }

  private endOfToken(): number {
    const code = this.text.charCodeAt(this.next);
    if (code === 34 || code === 39) return this.endOfText(code);
    const pattern = isDigitOrSign(code) || code === 46 ? NUMBER : IDENTIFIER;
    pattern.lastIndex = this.next;
    return pattern.test(this.text) ? pattern.lastIndex : this.next + 1;
  }

  /** Returns the offset after the closing quote. If the closing quote is missing, returns the end of the line. */
  private endOfText(quote: number): number {
    const { text } = this;
    let at = this.next + 1;
    for (; at < text.length; at++) {
      const code = text.charCodeAt(at);
      if (code === quote) return at + 1;
      if (code === 10) return at;
      if (code !== 92) continue;
      if (at + 1 >= text.length || isLineEnd(text.charCodeAt(at + 1))) return at + 1;
      at++;
    }
    return at;
  }
}

/** Number of digits below which a number cannot overflow a long during parsing. */
const SHORT_DIGITS = 16;
const IDENTIFIER = /[a-zA-Z_][0-9a-zA-Z_+-]*/y;
const NUMBER = /\.?[0-9+-][0-9a-zA-Z_.+-]*/y;
const ESCAPES: Readonly<Record<string, string>> = {
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  '\\': '\\',
  '"': '"',
  "'": "'",
};

function isDigitOrSign(code: number): boolean {
  return (code >= 48 && code <= 57) || code === 43 || code === 45;
}

function isLineEnd(code: number): boolean {
  return code === 10 || code === 13 || code === 0x85 || code === 0x2028 || code === 0x2029;
}

function parseError(line: number, column: number, text: string): JavaError {
  return new JavaError('org.tron.core.services.http.JsonFormat$ParseException', `${line + 1}:${column + 1}: ${text}`);
}
