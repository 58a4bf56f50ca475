/** A value of a payload: whole numbers are exact, members keep their order. */
export type RecordValue = null | boolean | bigint | string | readonly RecordValue[] | RecordObject;
export type RecordObject = ReadonlyMap<string, RecordValue>;

/**
 * Reads a payload that was written here: strict JSON with whole numbers of any size, which `JSON.parse` would round.
 * @throws {SyntaxError}
 */
export function readRecord(text: string): RecordObject {
  const value = new RecordReader(text).value();
  if (value instanceof Map) return value;
  throw new SyntaxError('a payload that is no object');
}

class RecordReader {
  private readonly text: string;
  private at = 0;

  constructor(text: string) {
    this.text = text;
  }

  value(): RecordValue {
    const char = this.next();
    if (char === '"') return this.string();
    if (char === '{') return this.object();
    if (char === '[') return this.list();
    const [word = ''] = this.match(WORD);
    if (word === 'null') return null;
    return word === 'true' || word === 'false' ? word === 'true' : BigInt(word);
  }

  private object(): RecordObject {
    const members = new Map<string, RecordValue>();
    this.at++;
    if (this.isEnd('}')) return members;
    do {
      this.next();
      const name = this.string();
      if (this.next() !== ':') throw this.error();
      this.at++;
      members.set(name, this.value());
    } while (this.hasMore('}'));
    return members;
  }

  private list(): RecordValue[] {
    const items: RecordValue[] = [];
    this.at++;
    if (this.isEnd(']')) return items;
    do items.push(this.value());
    while (this.hasMore(']'));
    return items;
  }

  private string(): string {
    if (this.text[this.at] !== '"') throw this.error();
    const start = this.at + 1;
    let end = this.text.indexOf('"', start);
    let backslash = this.text.indexOf('\\', start);
    if (backslash < 0 || backslash > end) {
      this.at = end + 1;
      if (end < 0) throw this.error();
      return this.text.slice(start, end);
    }
    // A quote that ends the text has no escape before it that takes it.
    while (backslash >= 0 && backslash < end) {
      if (end <= backslash + 1) end = this.text.indexOf('"', backslash + 2);
      backslash = this.text.indexOf('\\', backslash + 2);
    }
    if (end < 0) throw this.error();
    this.at = end + 1;
    return JSON.parse(this.text.slice(start - 1, end + 1)) as string;
  }

  private isEnd(close: string): boolean {
    if (this.next() !== close) return false;
    this.at++;
    return true;
  }

  private hasMore(close: string): boolean {
    if (this.isEnd(close)) return false;
    if (this.text[this.at] !== ',') throw this.error();
    this.at++;
    return true;
  }

  /** The next character that is no space. */
  private next(): string | undefined {
    while (this.text[this.at] === ' ') this.at++;
    return this.text[this.at];
  }

  private match(pattern: RegExp): RegExpExecArray {
    pattern.lastIndex = this.at;
    const found = pattern.exec(this.text);
    if (found === null) throw this.error();
    this.at = pattern.lastIndex;
    return found;
  }

  private error(): SyntaxError {
    return new SyntaxError(`a payload that cannot be read at ${this.at}`);
  }
}

const WORD = /null|true|false|-?\d+/y;
