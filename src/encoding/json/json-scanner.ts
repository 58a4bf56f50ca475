import { JavaDecimal } from '../../java-compat/decimal.js';
import { JavaError } from '../../java-compat/java-error.js';
import { parseInt32 } from '../../java-compat/number.js';
import { present } from '../../primitives/assert.js';
import { JSON_EXCEPTION } from './json-library.js';

/** Kinds of tokens. Their names are those in error texts. */
type Token =
  | 'error' | 'int' | 'float' | 'string' | 'true' | 'false' | 'null' | 'new' | '(' | ')' | '{' | '}' | '[' | ']'
  | ',' | ':' | ';' | '.' | 'ident' | 'EOF' | 'Set' | 'TreeSet' | 'undefined' | 'hex'; // biome-ignore format: a table

/** Character that represents the end of the text. */
const END = '\x1a';
const BLANK = ' \n\r\t\f\b';
/** Characters allowed after a word such as `true`. */
const AFTER_WORD = `${BLANK},}]${END}`;
const ESCAPES: Readonly<Record<string, string>> = {
  '0': '\0', '1': '\x01', '2': '\x02', '3': '\x03', '4': '\x04', '5': '\x05', '6': '\x06', '7': '\x07',
  b: '\b', t: '\t', n: '\n', v: '\v', f: '\f', F: '\f', r: '\r', '"': '"', "'": "'", '/': '/', '\\': '\\',
}; // biome-ignore format: a table
const PLAIN: Readonly<Record<string, Token>> = {
  ',': ',', '(': '(', ')': ')', '[': '[', ']': ']', '{': '{', '}': '}', ':': ':', ';': ';', '.': '.',
}; // biome-ignore format: a table
const NUMBER_CHARS_MAX = 65_535;
const INFO_CHARS_MAX = 65_535;

/** Tokenizer of the lenient JSON of fastjson. Reference: fastjson JSONLexerBase. */
export class JsonScanner {
  readonly text: string;
  token: Token = 'error';
  /** Text of the last string, number or word. */
  value = '';
  /** Start of the last token, for error texts. */
  tokenAt = 0;
  at = 0;

  constructor(text: string) {
    this.text = text;
    if (text.charCodeAt(0) === 0xfeff) this.at = 1;
  }

  get char(): string {
    return this.at < this.text.length ? this.text.charAt(this.at) : END;
  }

  /** Returns the position and the text, in the form that error texts have at their end. */
  info(): string {
    let line = 1;
    let column = 1;
    for (let at = 0; at < this.at && at < this.text.length; at++, column++) {
      if (this.text[at] !== '\n') continue;
      column = 1;
      line++;
    }
    column += Math.max(0, this.at - this.text.length);
    return `pos ${this.at}, line ${line}, column ${column}${this.text.slice(0, INFO_CHARS_MAX)}`;
  }

  isAtEnd(): boolean {
    return this.at >= this.text.length || (this.char === END && this.at + 1 === this.text.length);
  }

  skipBlank(): void {
    for (;;) {
      if (BLANK.includes(this.char)) this.at++;
      else if (this.char === '/') this.skipComment();
      else return;
    }
  }

  /** Reads the next token of any kind. */
  next(): void {
    for (;;) {
      this.tokenAt = this.at;
      const { char } = this;
      if (char === '/') this.skipComment();
      else if (BLANK.includes(char)) this.at++;
      else if (!this.readToken(char)) this.at++;
      else return;
    }
  }

  /**
   * Reads the next token, which is probably a comma or a bracket. Differs from `next` in two points: the end of the
   * text is not an error, and a comma or bracket does not set `tokenAt`.
   */
  nextMark(): void {
    while (BLANK.includes(this.char)) this.at++;
    const { char } = this;
    if (char === ',' || char === '}' || char === ']') {
      this.token = present(PLAIN[char], 'a comma and brackets are tokens');
      this.at++;
    } else if (char === END) this.token = 'EOF';
    else if (char === 'n') this.readNull();
    else this.next();
  }

  /** Reads the next token, which is probably a value. Unlike `next`, does not set `tokenAt` for a bracket. */
  nextValue(): void {
    while (BLANK.includes(this.char)) this.at++;
    const { char } = this;
    if (char === '[' || char === '{') {
      this.token = char;
      this.at++;
    } else this.next();
  }

  /** Reads a quoted text, including its opening quote. @param isName true for a name; selects the error text */
  readText(quote: string, isName: boolean): string {
    let text = '';
    let from = ++this.at;
    for (; ; this.at++) {
      const { char } = this;
      if (char === quote) break;
      if (char === END && (isName || this.at >= this.text.length)) this.failText(quote, isName, char);
      if (char !== '\\') continue;
      text += this.text.slice(from, this.at);
      this.at++;
      text += this.readEscape(isName);
      from = this.at + 1;
    }
    text += this.text.slice(from, this.at);
    this.at++;
    this.token = 'string';
    this.value = text;
    return text;
  }

  /** Reads an unquoted name. */
  readName(): string {
    const from = this.at;
    if (!isNameChar(this.char, true)) this.fail(`illegal identifier : ${this.char}${this.info()}`);
    do this.at++;
    while (this.at < this.text.length && isNameChar(this.char, false));
    this.token = 'ident';
    return this.text.slice(from, this.at);
  }

  /** Reads a number: digits, fraction, exponent and a Java type suffix. */
  readNumber(): void {
    const from = this.at;
    const pattern = /-?[0-9]*(\.[0-9]*)?([LSBFD]|[eE][+-]?[0-9]*[DF]?)?/y;
    pattern.lastIndex = from;
    const [all, fraction, suffix] = present(pattern.exec(this.text), 'the pattern also matches an empty text');
    if (all.length > NUMBER_CHARS_MAX) this.fail('scanNumber overflow');
    this.at += all.length;
    this.value = all;
    this.token = fraction !== undefined || (suffix !== undefined && !'LSB'.includes(suffix)) ? 'float' : 'int';
  }

  wholeNumber(): bigint {
    const digits = this.value.replace(/[LSB]$/, '');
    if (digits === '-') this.fail(`illegal number format : ${digits}`);
    return digits === '' ? 0n : digits.startsWith('-') ? -BigInt(digits.slice(1)) : BigInt(digits);
  }

  decimalNumber(): JavaDecimal {
    try {
      return JavaDecimal.parse(this.value.replace(/[LSBFD]$/, ''));
    } catch (error) {
      this.fail(`${(error as JavaError).text}, ${this.info()}`);
    }
  }

  /** Throws an error with a text. @throws {JavaError} JSONException, always */
  fail(text: string): never {
    throw new JavaError(JSON_EXCEPTION.fastjson, text);
  }

  /** Reads the token that starts with a character. @returns false if the character starts no token and is ignored */
  private readToken(char: string): boolean {
    const plain = PLAIN[char];
    if (plain !== undefined) {
      this.token = plain;
      this.at++;
    } else if (char === '"' || char === "'") this.readText(char, false);
    else if (isDigit(char) || char === '-') this.readNumber();
    else if (char === '+') {
      this.at++;
      this.readNumber();
    } else if (char === 't') this.readWord('true');
    else if (char === 'f') this.readWord('false');
    else if (char === 'n') this.readNull();
    else if ('TNSu'.includes(char)) this.readIdentifier();
    else if (char === 'x') this.readHex();
    else if (this.isAtEnd()) {
      if (this.token === 'EOF') this.fail('EOF error');
      this.token = 'EOF';
    } else if (char <= '\x1f' || char === '\x7f') return false;
    else {
      this.token = 'error';
      this.at++;
    }
    return true;
  }

  private readWord(word: 'true' | 'false'): void {
    this.expectWord(word, word);
    if (!`${AFTER_WORD}:/`.includes(this.char)) this.fail(`scan ${word} error`);
    this.token = word;
  }

  private readNull(): void {
    const second = this.text[this.at + 1] ?? END;
    if (second === 'u') this.expectWord('null', 'null');
    else if (second === 'e') this.expectWord('new', 'new');
    else this.fail('error parse new');
    const word = second === 'u' ? 'null' : 'new';
    if (!`${AFTER_WORD}${word === 'null' ? ':' : ''}`.includes(this.char)) this.fail(`scan ${word} error`);
    this.token = word;
  }

  private expectWord(word: string, name: string): void {
    if (!this.text.startsWith(word, this.at)) this.fail(`error parse ${name}`);
    this.at += word.length;
  }

  private readIdentifier(): void {
    const from = this.at;
    do this.at++;
    while (/^[\p{L}\p{Nd}]$/u.test(this.char));
    this.value = this.text.slice(from, this.at);
    const known: Readonly<Record<string, Token>> = { undefined: 'undefined', Set: 'Set', TreeSet: 'TreeSet' };
    this.token = this.value.toLowerCase() === 'null' ? 'null' : (known[this.value] ?? 'ident');
  }

  private readHex(): void {
    this.at++;
    if (this.char !== "'") this.fail(`illegal state. ${this.char}`);
    const from = ++this.at;
    while (/^[0-9A-Fa-f]$/.test(this.char)) this.at++;
    if (this.char !== "'") this.fail(`illegal state. ${this.char}`);
    this.value = this.text.slice(from, this.at++);
    this.token = 'hex';
  }

  private readEscape(isName: boolean): string {
    const { char } = this;
    const simple = ESCAPES[char];
    if (simple !== undefined) return simple;
    if (char === 'x') {
      const digits = this.text.slice(this.at + 1, this.at + 3);
      if (!/^[0-9a-fA-F]{2}$/.test(digits)) this.fail(`invalid escape character \\x${digits}`);
      this.at += 2;
      return String.fromCharCode(Number.parseInt(digits, 16));
    }
    if (char === 'u') {
      const digits = this.text.slice(this.at + 1, this.at + 5).padEnd(4, END);
      this.at += 4;
      if (/^[0-9a-fA-F]{4}$/.test(digits)) return String.fromCharCode(Number.parseInt(digits, 16));
      parseInt32(`x${digits}`.slice(1).replace(/^[0-9]{4}$/, 'x'));
    }
    return this.fail(isName ? 'unclosed.str.lit' : `unclosed string : ${char}`);
  }

  private failText(quote: string, isName: boolean, char: string): never {
    if (isName) this.fail('unclosed.str');
    return this.fail(quote === "'" ? 'unclosed single-quote string' : `unclosed string : ${char}`);
  }

  private skipComment(): void {
    this.at++;
    if (this.char === '/') {
      const end = this.text.indexOf('\n', this.at);
      this.at = end < 0 ? this.text.length : end + 1;
    } else if (this.char === '*') {
      const end = this.text.indexOf('*/', this.at + 1);
      this.at = end < 0 ? this.text.length : end + 2;
    } else this.fail('invalid comment');
  }
}

function isDigit(char: string): boolean {
  return char >= '0' && char <= '9';
}

function isNameChar(char: string, isFirst: boolean): boolean {
  if (char >= '\u0100') return true;
  return isFirst ? /^[A-Za-z_$]$/.test(char) : /^[A-Za-z0-9_$]$/.test(char);
}
