import { TronError } from '../../primitives/errors.js';

/**
 * A number in its original text. Responses repeat ids as text, and a JavaScript number cannot represent every int64
 * value.
 */
export class JsonNumber {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }

  get isInteger(): boolean {
    return !/[.eE]/.test(this.text);
  }

  /** Returns the text that Jackson reads for this number when a string is expected. */
  toString(): string {
    return this.isInteger ? BigInt(this.text).toString() : javaDouble(Number(this.text));
  }

  /** Returns the JSON that Jackson writes for this number. Infinity becomes a JSON string. */
  toJson(): string {
    const text = this.toString();
    return text.endsWith('Infinity') ? `"${text}"` : text;
  }
}

export type Json = null | boolean | string | JsonNumber | readonly Json[] | ReadonlyMap<string, Json>;

/** Prints a value as JSON. */
export function printValue(value: Json): string {
  if (value instanceof JsonNumber) return value.text;
  if (Array.isArray(value)) return `[${value.map(printValue).join(',')}]`;
  if (!(value instanceof Map)) return JSON.stringify(value);
  const members = [...(value as ReadonlyMap<string, Json>)];
  return `{${members.map(([name, member]) => `${JSON.stringify(name)}:${printValue(member)}`).join(',')}}`;
}

/** Thrown if the text is not valid JSON. */
export class JsonSyntaxError extends TronError<'JSON_SYNTAX'> {
  constructor(at: number) {
    super('JSON_SYNTAX', `invalid JSON at character ${at}`);
  }
}

/**
 * Thrown if the text exceeds a limit of the JSON parser in release 4.8.2 and later.
 * Reference: StreamReadConstraints of Jackson
 */
export class JsonLimitError extends TronError<'JSON_LIMIT'> {
  /**
   * @param what start of the error message
   * @param max value of the exceeded limit
   * @param limit name of the limit in Jackson
   */
  constructor(what: string, max: number, limit: string) {
    super('JSON_LIMIT', `${what} exceeds the maximum allowed (${max}, from \`StreamReadConstraints.${limit}()\`)`);
  }
}

/** Maximum nesting depth. Deeper values are rejected because the parser is recursive. */
const DEPTH_MAX = 500;
/**
 * Maximum digits of a number. Longer numbers are rejected, because conversion time grows with the square of the length.
 * Release 4.8.2 and later have a specific error text for this.
 */
const DIGITS_MAX = 1000;
const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const SPACE = /[ \t\r\n]*/y;

/**
 * Parses the first value of a text. Ignores text after the value, as Jackson's `readTree` does.
 * @param depthMax maximum nesting of objects and arrays; undefined means the parser's own limit
 * @throws {JsonSyntaxError} the text is empty or not JSON
 * @throws {JsonLimitError} only if `depthMax` is set
 */
export function readFirstValue(text: string, depthMax?: number): Json {
  return new JsonReader(text.startsWith('\ufeff') ? text.slice(1) : text, depthMax).first();
}

class JsonReader {
  private readonly text: string;
  private readonly depthMax: number | undefined;
  private at = 0;

  constructor(text: string, depthMax: number | undefined) {
    this.text = text;
    this.depthMax = depthMax;
  }

  /** Parses the first value of the text. After `true`, `false` or `null`, a letter or digit must not follow. */
  first(): Json {
    const value = this.value(0);
    const isWord = value === null || typeof value === 'boolean';
    if (isWord && /[\w$]/.test(this.text[this.at] ?? ' ')) this.fail();
    return value;
  }

  private value(depth: number): Json {
    if (depth > DEPTH_MAX) this.fail();
    this.skip(SPACE);
    const char = this.text[this.at];
    if (depth === this.depthMax && (char === '{' || char === '[')) {
      throw new JsonLimitError(`Document nesting depth (${depth + 1})`, depth, 'getMaxNestingDepth');
    }
    if (char === '{') return this.object(depth);
    if (char === '[') return this.array(depth);
    if (char === '"') return this.string();
    if (char === 't') return this.word('true', true);
    if (char === 'f') return this.word('false', false);
    if (char === 'n') return this.word('null', null);
    return new JsonNumber(this.number(depth === 0));
  }

  /**
   * Reads a number and returns its text.
   * @param isRoot true for a number at the top level. Only white space or the end of the text may follow it. As in
   * Jackson, this check precedes the check of the length.
   */
  private number(isRoot: boolean): string {
    const text = this.take(NUMBER);
    if (isRoot && !/[ \t\r\n]/.test(this.text[this.at] ?? ' ')) this.fail();
    const digits = text.length > DIGITS_MAX ? text.replace(/[^0-9]/g, '').length : 0;
    if (digits <= DIGITS_MAX) return text;
    if (this.depthMax === undefined) this.fail();
    throw new JsonLimitError(`Number value length (${digits})`, DIGITS_MAX, 'getMaxNumberLength');
  }

  private object(depth: number): Json {
    const members = new Map<string, Json>();
    this.at++;
    if (this.next() === '}') {
      this.at++;
      return members;
    }
    for (;;) {
      if (this.next() !== '"') this.fail();
      const name = this.string();
      if (this.next() !== ':') this.fail();
      this.at++;
      members.set(name, this.value(depth + 1));
      if (this.isLast('}')) return members;
    }
  }

  private array(depth: number): Json {
    const items: Json[] = [];
    this.at++;
    if (this.next() === ']') {
      this.at++;
      return items;
    }
    for (;;) {
      items.push(this.value(depth + 1));
      if (this.isLast(']')) return items;
    }
  }

  /** Reads a string. Finds its end with a loop. A regular expression could overflow the stack on a long text. */
  private string(): string {
    const start = this.at++;
    while (this.at < this.text.length && this.text[this.at] !== '"') this.at += this.text[this.at] === '\\' ? 2 : 1;
    this.at++;
    try {
      return JSON.parse(this.text.slice(start, this.at)) as string;
    } catch {
      throw new JsonSyntaxError(start);
    }
  }

  /** Consumes the comma or the end character after a member or element. Returns true for the end character. */
  private isLast(end: string): boolean {
    const char = this.next();
    if (char !== end && char !== ',') this.fail();
    this.at++;
    return char === end;
  }

  private next(): string | undefined {
    this.skip(SPACE);
    return this.text[this.at];
  }

  private word<T extends Json>(word: string, value: T): T {
    if (!this.text.startsWith(word, this.at)) this.fail();
    this.at += word.length;
    return value;
  }

  private take(pattern: RegExp): string {
    pattern.lastIndex = this.at;
    const found = pattern.exec(this.text)?.[0];
    if (found === undefined) this.fail();
    this.at += found.length;
    return found;
  }

  private skip(pattern: RegExp): void {
    pattern.lastIndex = this.at;
    this.at += pattern.exec(this.text)?.[0].length ?? 0;
  }

  private fail(): never {
    throw new JsonSyntaxError(this.at);
  }
}

/** Formats a number as Java does. Reference: Double.toString */
function javaDouble(value: number): string {
  if (!Number.isFinite(value)) return String(value);
  const size = Math.abs(value);
  if (size !== 0 && (size >= 1e7 || size < 1e-3)) {
    const [digits, exponent] = value.toExponential().split('e') as [string, string];
    return `${digits.includes('.') ? digits : `${digits}.0`}E${Number(exponent)}`;
  }
  return Number.isInteger(value) ? `${value}.0` : String(value);
}
