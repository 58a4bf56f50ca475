import { JavaDecimal } from '../../../java-compat/decimal.js';
import { present } from '../../../primitives/assert.js';
import { JsonObject, type JsonValue } from '../json-value.js';
import { failJson, isWordChar, isWordStart, JacksonScanner, ROOT } from './jackson-scanner.js';

/** Maximum nesting depth of objects and arrays. Reference: Constant.MAX_NESTING_DEPTH. */
export const JSON_DEPTH_MAX = 20;
/** Maximum number of tokens. Reference: Constant.MAX_TOKEN_COUNT. */
const TOKENS_MAX = 100_000;
/** Maximum number of characters of a number. Reference: StreamReadConstraints. */
const NUMBER_CHARS_MAX = 1000;
/** Maximum number of characters of a name. */
const NAME_CHARS_MAX = 50_000;

/**
 * Parses JSON as release 4.8.2 does. Allows unquoted names, single quotes, comments and a trailing comma. A number may
 * have a plus sign, and may start or end with the decimal point. Ignores the text after the first value. Reference:
 * org.tron.json.JSON.parse over Jackson 2.18.
 * @returns undefined for a text that contains only comments
 * @throws {JavaError} JSONException: the text is not valid
 */
export function parseJackson(text: string): JsonValue | undefined {
  return new Parser(text).parseRoot();
}

interface Scope {
  readonly kind: 'Object' | 'Array';
  /** Position at which the object or array starts, as error texts show it. */
  readonly startedAt: string;
}

class Parser {
  private readonly scan: JacksonScanner;
  private readonly scopes: Scope[] = [];
  private tokens = 0;

  constructor(text: string) {
    this.scan = new JacksonScanner(text);
  }

  parseRoot(): JsonValue | undefined {
    this.scan.skipBlank();
    if (this.scan.char === '') return undefined;
    return this.value();
  }

  /** Reads the value at the current position. */
  private value(): JsonValue {
    const { scan } = this;
    const { char } = scan;
    switch (char) {
      case '{':
        return this.inside('Object', () => this.members());
      case '[':
        return this.inside('Array', () => this.items());
      case '"':
      case "'":
        this.count();
        scan.at++;
        return scan.readText(char, ': was expecting closing quote for a string value');
      case 't':
        return this.word('true', true);
      case 'f':
        return this.word('false', false);
      case 'n':
        return this.word('null', null);
      case ']':
      case '}':
        if (this.scopes.length === 0) this.failClosing(char);
        return scan.failValue();
      default:
        if (/[0-9.+-]/.test(char)) return this.number();
        return this.strangeValue(char);
    }
  }

  private strangeValue(char: string): never {
    const { scan } = this;
    if (char === 'N') this.failNotANumber('NaN');
    if (char === 'I') this.failNotANumber('Infinity');
    if (!isWordStart(char)) return scan.failValue();
    scan.at++;
    return scan.failWord(char);
  }

  private failNotANumber(name: string, sign = ''): never {
    const { scan } = this;
    for (let length = 0; length < name.length; length++, scan.at++) {
      if (scan.char !== name[length]) scan.failWord(name.slice(0, length));
    }
    if (isWordChar(scan.char)) scan.failWord(name);
    return scan.fail(
      `Non-standard token '${sign}${name}': enable \`JsonReadFeature.ALLOW_NON_NUMERIC_NUMBERS\` to allow`,
    );
  }

  private word<T extends boolean | null>(word: string, value: T): T {
    const { scan } = this;
    for (let length = 0; length < word.length; length++, scan.at++) {
      if (scan.char !== word[length]) scan.failWord(word.slice(0, length));
    }
    if (scan.char >= '0' && isWordChar(scan.char)) scan.failWord(word);
    this.count();
    return value;
  }

  private inside<T extends JsonValue>(kind: Scope['kind'], read: () => T): T {
    const { scan, scopes } = this;
    this.count();
    if (scopes.length === JSON_DEPTH_MAX) {
      failJson(
        `Document nesting depth (${JSON_DEPTH_MAX + 1}) exceeds the maximum allowed (${JSON_DEPTH_MAX}, from ` +
          '`StreamReadConstraints.getMaxNestingDepth()`)',
      );
    }
    scopes.push({ kind, startedAt: scan.position() });
    scan.at++;
    const value = read();
    scan.at++;
    scopes.pop();
    this.count();
    return value;
  }

  private members(): JsonObject {
    const { scan } = this;
    const object = new JsonObject('jackson');
    while (this.comesNext(object.size === 0, '}')) {
      const name = this.name();
      this.count();
      scan.skipBlank(within('Object'));
      if (scan.char !== ':') scan.failChar('was expecting a colon to separate field name and value');
      scan.at++;
      scan.skipBlank(within('Object'));
      object.set(name, this.value());
    }
    return object;
  }

  private items(): JsonValue[] {
    const items: JsonValue[] = [];
    while (this.comesNext(items.length === 0, ']')) items.push(this.value());
    return items;
  }

  /** Skips the comma before the next member or item. @returns false if there is a closing bracket instead */
  private comesNext(isFirst: boolean, closing: string): boolean {
    const { scan } = this;
    const { kind, startedAt } = present(this.scopes.at(-1), 'a member or an item has a parent');
    scan.skipBlank(() => `: expected close marker for ${kind} (start marker at ${startedAt})`);
    if (scan.char === closing) return false;
    if (scan.char === ']' || scan.char === '}') this.failClosing(scan.char);
    if (isFirst) return true;
    if (scan.char !== ',') scan.failChar(`was expecting comma to separate ${kind} entries`);
    scan.at++;
    scan.skipBlank(within(kind));
    if (scan.char === ']' || scan.char === '}') {
      if (scan.char !== closing) this.failClosing(scan.char);
      return false;
    }
    return true;
  }

  private name(): string {
    const { scan } = this;
    const { char } = scan;
    if (char === '"' || char === "'") {
      scan.at++;
      return this.bounded(scan.readText(char, ' in field name'));
    }
    if (!isNameChar(char)) {
      scan.failChar(
        'was expecting either valid name character (for unquoted name) or double-quote (for quoted) to start field name',
      );
    }
    const from = scan.at;
    while (isNameChar(scan.char)) scan.at++;
    return this.bounded(scan.text.slice(from, scan.at));
  }

  private bounded(name: string): string {
    if (name.length <= NAME_CHARS_MAX) return name;
    return failJson(
      `Name length (${name.length}) exceeds the maximum allowed (${NAME_CHARS_MAX}, from ` +
        '`StreamReadConstraints.getMaxNameLength()`)',
    );
  }

  private number(): bigint | JavaDecimal {
    const { scan } = this;
    this.count();
    const from = scan.at;
    const sign = scan.char === '-' || scan.char === '+' ? scan.char : '';
    scan.at += sign.length;
    if (sign !== '' && scan.char === '') scan.failAtEnd('No digit following sign');
    if (sign !== '' && scan.char === 'I') this.failNotANumber('Infinity', sign);
    if (!/[0-9.]/.test(scan.char)) {
      scan.failNumber(
        sign === '-'
          ? 'expected digit (0-9) to follow minus sign, for valid numeric value'
          : 'expected digit (0-9) for valid numeric value',
      );
    }
    const whole = this.digits();
    const wholeEnd = scan.at;
    let fraction: string | undefined;
    if (scan.char === '.') {
      scan.at++;
      fraction = this.digits();
    }
    const exponent = this.exponent(whole.startsWith('0') ? undefined : wholeEnd);
    if (this.scopes.length === 0 && scan.char !== '' && !/[ \t\r\n]/.test(scan.char)) {
      scan.failChar('Expected space separating root-level values');
    }
    if (fraction === undefined && exponent === undefined) return this.whole(sign, whole);
    const absent = whole.startsWith('0') || scan.isCutSince(from) ? -1 : 0;
    const parts = [
      withoutZeros(whole).length,
      fraction?.length ?? absent,
      exponent?.replace(/[^0-9]/g, '').length ?? absent,
    ];
    this.boundNumber(parts.reduce((sum, length) => sum + length));
    const text = `${sign === '-' ? '-' : ''}${whole}${fraction === undefined ? '' : `.${fraction}`}${exponent ?? ''}`;
    return decimal(text, whole + (fraction ?? ''));
  }

  private whole(sign: string, digits: string): bigint {
    this.boundNumber(withoutZeros(digits).length);
    const value = BigInt(digits);
    return sign === '-' ? -value : value;
  }

  /**
   * Checks the length of a number. Reference: ReaderBasedJsonParser._parseNumber2.
   * @param length number of digits, as Jackson counts them; if Jackson parses a number twice, it counts a missing
   * fraction or exponent as −1 digits
   * @throws {JavaError} when the number is too long
   */
  private boundNumber(length: number): void {
    if (length <= NUMBER_CHARS_MAX) return;
    failJson(
      `Number value length (${length}) exceeds the maximum allowed (${NUMBER_CHARS_MAX}, from ` +
        '`StreamReadConstraints.getMaxNumberLength()`)',
    );
  }

  /**
   * Reads an exponent such as `e-5`. Returns undefined if there is no exponent.
   * @param at position that the error text shows if a digit is missing; undefined for the current position
   * @throws {JavaError} a digit is missing
   */
  private exponent(at: number | undefined): string | undefined {
    const { scan } = this;
    if (!/^[eE]/.test(scan.char)) return undefined;
    const from = scan.at++;
    if (scan.char === '-' || scan.char === '+') scan.at++;
    if (this.digits() === '') {
      if (scan.char === '') scan.failAtEnd('expected a digit for number exponent');
      scan.failNumber('Exponent indicator not followed by a digit', at);
    }
    return scan.text.slice(from, scan.at);
  }

  private digits(): string {
    const { scan } = this;
    const from = scan.at;
    while (scan.char >= '0' && scan.char <= '9') scan.at++;
    return scan.text.slice(from, scan.at);
  }

  private failClosing(char: string): never {
    const { scan, scopes } = this;
    const scope = scopes.at(-1);
    const where = scope === undefined ? `root starting at ${ROOT}` : `${scope.kind} starting at ${scope.startedAt}`;
    return scan.fail(`Unexpected close marker '${char}': expected '${char === ']' ? '}' : ']'}' (for ${where})`);
  }

  private count(): void {
    if (++this.tokens <= TOKENS_MAX) return;
    failJson(
      `Token count (${this.tokens}) exceeds the maximum allowed (${TOKENS_MAX}, from ` +
        '`StreamReadConstraints.getMaxTokenCount()`)',
    );
  }
}

function decimal(text: string, digits: string): JavaDecimal {
  if (digits === '') {
    failJson(`Value "${text}" can not be deserialized as \`java.math.BigDecimal\`, reason:  No digits found.`);
  }
  return JavaDecimal.parse(text).withoutZeros();
}

function withoutZeros(digits: string): string {
  return digits.replace(/^0+(?=.)/, '');
}

function within(kind: Scope['kind']): () => string {
  return () => ` within/between ${kind} entries`;
}

/** Returns true for characters of an unquoted name. */
function isNameChar(char: string): boolean {
  return char !== '' && ('@#*-+'.includes(char) || isWordChar(char));
}
