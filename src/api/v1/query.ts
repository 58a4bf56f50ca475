import { JavaError } from '../../java-compat/java-error.js';
import { readPairs } from '../http/parameters.js';
import { badParameter, V1Error } from './v1-error.js';

/** Most items of a page, as TronGrid has it: more are not refused, but come with the next page. */
const LIMIT_MAX = 200;
const LIMIT_DEFAULT = 20;

/** Other names of parameters. */
const ALIASES: Readonly<Record<string, string>> = {
  min_timestamp: 'min_block_timestamp',
  max_timestamp: 'max_block_timestamp',
};

/** Orders by time or height, which are the same one. */
const ORDER = /^(block_)?(timestamp|number),(asc|desc)$/;

/** Parameters of a request, in snake case or camel case as TronGrid takes them. */
export class Query {
  private readonly values = new Map<string, string>();

  /** @param text without `?` @throws {V1Error} */
  constructor(text: string | undefined) {
    try {
      for (const [name, value] of readPairs(text ?? '')) {
        const snake = name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
        const known = ALIASES[snake] ?? snake;
        if (!this.values.has(known)) this.values.set(known, value);
      }
    } catch (error) {
      if (error instanceof JavaError) throw new V1Error(400, 'the query cannot be read');
      throw error;
    }
  }

  /** Undefined for none, and for an empty one. */
  text(name: string): string | undefined {
    return this.values.get(name) || undefined;
  }

  /** @throws {V1Error} neither true nor false */
  flag(name: string): boolean | undefined {
    const text = this.text(name)?.toLowerCase();
    if (text === undefined) return undefined;
    if (text !== 'true' && text !== 'false') throw badParameter(name, 'must be true or false');
    return text === 'true';
  }

  /** @throws {V1Error} no whole number from 0 on */
  number(name: string): number | undefined {
    const text = this.text(name);
    if (text === undefined) return undefined;
    const value = Number(text);
    if (!/^\d+$/.test(text) || !Number.isSafeInteger(value)) throw badParameter(name, 'must be a whole number');
    return value;
  }

  /** ms since 1970, of a number or of a date in the form of ISO 8601. @throws {V1Error} */
  time(name: string): number | undefined {
    const text = this.text(name);
    if (text === undefined || /^\d+$/.test(text)) return this.number(name);
    const time = Date.parse(text);
    if (Number.isNaN(time)) throw badParameter(name, 'must be a time in ms or a date');
    return time;
  }

  /** Items of a page. @throws {V1Error} */
  get limit(): number {
    const limit = this.number('limit') ?? LIMIT_DEFAULT;
    if (limit === 0) throw badParameter('limit', `must be 1..${LIMIT_MAX}`);
    return Math.min(limit, LIMIT_MAX);
  }

  /** Whether the oldest come first. @throws {V1Error} */
  get isAscending(): boolean {
    const text = this.text('order_by');
    if (text === undefined) return false;
    const [, , , direction] = ORDER.exec(text) ?? [];
    if (direction === undefined) throw badParameter('order_by', 'must be block_timestamp,asc or block_timestamp,desc');
    return direction === 'asc';
  }

  /** The query with other values; undefined leaves one out. */
  with(values: Readonly<Record<string, string | undefined>>): Query {
    return new Query(this.textWith(values));
  }

  /** The same as text. */
  textWith(values: Readonly<Record<string, string | undefined>>): string {
    const all = new URLSearchParams([...this.values]);
    for (const [name, value] of Object.entries(values)) {
      if (value === undefined) all.delete(name);
      else all.set(name, value);
    }
    return all.toString();
  }
}
