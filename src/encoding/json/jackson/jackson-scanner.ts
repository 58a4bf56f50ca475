import { JavaError } from '../../../java-compat/java-error.js';
import { JSON_EXCEPTION } from '../json-library.js';

const SOURCE = '[Source: REDACTED (`StreamReadFeature.INCLUDE_SOURCE_IN_LOCATION` disabled); line: ';
/** Start of the document in error texts. It has a line but no column. */
export const ROOT = `${SOURCE}1]`;
const VALID_TOKENS = "(JSON String, Number, Array, Object or token 'null', 'true' or 'false')";
const NO_END = 'Unexpected end-of-input';
/**
 * Number of characters above which a text is read in chunks of `PIECE_CHARS` characters, as in Jackson. Reference:
 * JsonFactory.createParser, BufferRecycler.
 */
const WHOLE_CHARS_MAX = 0x8000;
const PIECE_CHARS = 4000;
/** Maximum number of characters of a word in an error text. */
const WORD_CHARS_MAX = 256;

const ESCAPES: ReadonlyMap<string, string> = new Map([
  ['b', '\b'], ['t', '\t'], ['n', '\n'], ['f', '\f'], ['r', '\r'],
  ['"', '"'], ['/', '/'], ['\\', '\\'], ["'", "'"],
]); // biome-ignore format: a table

/**
 * Scanner over a JSON text, with the error texts of Jackson 2.18.
 * Reference: ReaderBasedJsonParser.
 */
export class JacksonScanner {
  readonly text: string;
  at = 0;
  /** Current line number. As in Jackson, line ends inside of strings are not counted. */
  private line = 1;
  private lineStart = 0;

  constructor(text: string) {
    this.text = text;
  }

  /** The current character. At the end of the text, it is an empty text. */
  get char(): string {
    return this.text.charAt(this.at);
  }

  /**
   * Returns true if the token that started at `from` reaches the end of the text, or crosses a border of Jackson's
   * chunks.
   */
  isCutSince(from: number): boolean {
    const { text, at } = this;
    const pieceOf = (position: number): number => Math.floor(position / PIECE_CHARS);
    return at === text.length || (text.length > WHOLE_CHARS_MAX && pieceOf(from) !== pieceOf(at));
  }

  /** Skips white space and comments. @param endOf returns the error suffix if the text ends here */
  skipBlank(endOf?: () => string): void {
    for (;;) {
      const { char } = this;
      if (char === '') {
        if (endOf !== undefined) this.failAtEnd(endOf());
        return;
      }
      if (char === '/') this.skipComment();
      else if (char === ' ' || char === '\t') this.at++;
      else if (char === '\n' || char === '\r') this.passLineEnd();
      else if (char < ' ') {
        this.at++;
        this.fail(
          `Illegal character (${describe(char)}): only regular white space (\\r, \\n, \\t) is allowed between tokens`,
        );
      } else return;
    }
  }

  /**
   * Reads a quoted text. The opening quote was already read.
   * @param end error suffix if the closing quote is missing
   */
  readText(quote: string, end: string): string {
    let text = '';
    let from = this.at;
    for (;;) {
      const { char } = this;
      if (char === '') this.failAtEnd(end);
      this.at++;
      if (char === quote) return text + this.text.slice(from, this.at - 1);
      if (char !== '\\') continue;
      text += this.text.slice(from, this.at - 1) + this.readEscape();
      from = this.at;
    }
  }

  /** Throws the error for an unknown word. @param known the part of the word that was already read */
  failWord(known: string): never {
    let word = known;
    while (isWordChar(this.char) || isEarlyControl(this.char)) {
      word += this.char;
      this.at++;
      if (word.length >= WORD_CHARS_MAX) {
        word += '...';
        break;
      }
    }
    this.fail(`Unrecognized token '${word}': was expecting ${VALID_TOKENS}`);
  }

  /** Throws the error for an invalid value at the current character. */
  failValue(): never {
    this.failChar(`expected a valid value ${VALID_TOKENS}`);
  }

  /** Throws the error for the current character, or for the end of the text. */
  failChar(comment: string): never {
    if (this.char === '') this.failAtEnd('');
    this.fail(`Unexpected character (${describe(this.char)}): ${comment}`);
  }

  /**
   * Throws the error for an invalid character in a number.
   * @param at position that the error text shows
   * @throws {JavaError} always
   */
  failNumber(comment: string, at = this.at): never {
    const text = `Unexpected character (${describe(this.char)}) in numeric value: ${comment}`;
    this.at = at;
    this.fail(text);
  }

  failAtEnd(what: string): never {
    this.fail(`${NO_END}${what}`);
  }

  /** Throws an error with a text and the current position. @throws {JavaError} JSONException, always */
  fail(text: string): never {
    failJson(`${text}\n at ${this.position()}`);
  }

  /** Returns the current position as error texts show it. */
  position(): string {
    return `${SOURCE}${this.line}, column: ${this.at - this.lineStart + 1}]`;
  }

  private readEscape(): string {
    const { char } = this;
    if (char === '') this.failAtEnd(' in character escape sequence');
    this.at++;
    const plain = ESCAPES.get(char);
    if (plain !== undefined) return plain;
    if (char !== 'u') {
      this.at--;
      this.fail(`Unrecognized character escape ${describe(char)}`);
    }
    for (let digit = 0; digit < 4; digit++) {
      if (this.char === '') this.failAtEnd(' in character escape sequence');
      if (!/[0-9a-fA-F]/.test(this.char)) this.failChar('expected a hex-digit for character escape sequence');
      this.at++;
    }
    return String.fromCharCode(Number.parseInt(this.text.slice(this.at - 4, this.at), 16));
  }

  private passLineEnd(): void {
    this.at += this.text.startsWith('\r\n', this.at) ? 2 : 1;
    this.line++;
    this.lineStart = this.at;
  }

  private skipComment(): void {
    this.at++;
    const kind = this.char;
    if (kind === '') this.failAtEnd(' in a comment');
    if (kind === '/') {
      while (this.char !== '' && this.char !== '\n' && this.char !== '\r') this.at++;
    } else if (kind === '*') {
      this.at++;
      while (!this.text.startsWith('*/', this.at)) {
        if (this.char === '') this.failAtEnd(' in a comment');
        if (this.char === '\n' || this.char === '\r') this.passLineEnd();
        else this.at++;
      }
      this.at += 2;
    } else this.failChar("was expecting either '*' or '/' for a comment");
  }
}

/** Throws an error with a text. @throws {JavaError} JSONException, always */
export function failJson(text: string): never {
  throw new JavaError(JSON_EXCEPTION.jackson, text);
}

/**
 * Returns true for characters of a Java identifier. Returns false for the control characters below the space character.
 * Reference: Character.isJavaIdentifierPart.
 */
export function isWordChar(char: string): boolean {
  return /^[\p{L}\p{Nl}\p{Sc}\p{Pc}\p{Nd}\p{Mc}\p{Mn}\p{Cf}]$/u.test(char) || isLateControl(char);
}

/** Returns true for the first character of a Java identifier. Reference: Character.isJavaIdentifierStart. */
export function isWordStart(char: string): boolean {
  return /^[\p{L}\p{Nl}\p{Sc}\p{Pc}]$/u.test(char);
}

/** Returns true for the control characters below the space character that Java ignores inside identifiers. */
function isEarlyControl(char: string): boolean {
  return (char >= '\0' && char <= '\b') || (char >= '\x0e' && char <= '\x1b');
}

function isLateControl(char: string): boolean {
  return char >= '\x7f' && char <= '\x9f';
}

/** Returns the description of a character in error texts. Reference: ParserMinimalBase._getCharDesc. */
function describe(char: string): string {
  const code = char.charCodeAt(0);
  if (code < 0x20 || isLateControl(char)) return `(CTRL-CHAR, code ${code})`;
  return code > 255 ? `'${char}' (code ${code} / 0x${code.toString(16)})` : `'${char}' (code ${code})`;
}
