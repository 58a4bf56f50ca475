import type { EventObject, EventValue, PrintedJson } from '../event-value.js';

/**
 * Reads JSON text of the message printer. Integers of any size remain exact, unlike in `JSON.parse`.
 * @throws {SyntaxError} the text is not strict JSON
 */
export function readPrinted({ text }: PrintedJson): EventObject {
  return new PrintedReader(text).object();
}

class PrintedReader {
  private readonly text: string;
  private at = 0;

  constructor(text: string) {
    this.text = text;
  }

  private value(): EventValue {
    const char = this.next();
    if (char === '"') return this.string();
    if (char === '{') return this.object();
    if (char === '[') return this.list();
    const [word = ''] = this.match(WORD);
    if (word === 'null') return null;
    return word === 'true' || word === 'false' ? word === 'true' : BigInt(word);
  }

  object(): EventObject {
    const members: Record<string, EventValue> = {};
    if (this.next() !== '{') throw this.error();
    this.at++;
    if (this.isEnd('}')) return members;
    do {
      this.next();
      const name = this.string();
      if (this.next() !== ':') throw this.error();
      this.at++;
      members[name] = this.value();
    } while (this.hasMore('}'));
    return members;
  }

  private list(): EventValue[] {
    const items: EventValue[] = [];
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
    // Searches for the first quote that is not escaped. Each backslash is skipped together with the next character.
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

  /** Skips spaces and returns the next character. */
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
    return new SyntaxError(`malformed JSON of a protobuf message at offset ${this.at}`);
  }
}

const WORD = /null|true|false|-?\d+/y;
