import { JavaError } from '../../java-compat/java-error.js';
import { findMisspelling } from '../../primitives/nearest-word.js';
import { readPairs } from '../http/parameters.js';
import { badParameter, V1Error } from './v1-error.js';

/** Maximum number of items of a page, as in TronGrid. A request with a higher limit gets this number. */
const LIMIT_MAX = 200;
const LIMIT_DEFAULT = 20;

/** Alternative names of parameters, each with the name that this module uses. */
const ALIASES: Readonly<Record<string, string>> = {
  min_timestamp: 'min_block_timestamp',
  max_timestamp: 'max_block_timestamp',
};

/** Pattern of the values of `order_by`. The order by time equals the order by height. */
const ORDER = /^(block_)?(timestamp|number),(asc|desc)$/;

/** Query parameters of a request. Names may be in snake case or camel case, as in TronGrid. */
export class Query {
  private readonly values = new Map<string, string>();

  /**
   * @param text query string without `?`
   * @throws {V1Error} the query string is malformed, or has two different values of a parameter
   */
  constructor(text: string | undefined) {
    try {
      for (const [name, value] of readPairs(text ?? '')) {
        const known = usedName(name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`));
        if ((this.values.get(known) ?? value) !== value) throw badParameter(known, 'has two values');
        this.values.set(known, value);
      }
    } catch (error) {
      if (error instanceof JavaError) throw new V1Error(400, 'invalid query string');
      throw error;
    }
  }

  /**
   * Rejects misspelt parameters, and parameters of other paths. A client that sends a filter without effect would get
   * items that it wants to exclude. Other unknown parameters are ignored, as TronGrid does.
   * @param known parameters of this path
   * @param all parameters of all paths
   * @throws {V1Error} a parameter is misspelt, or belongs to other paths
   */
  refuseOthers(known: readonly string[], all: readonly string[]): void {
    const used = known.map(usedName);
    const others = [...this.values.keys()].filter((name) => !used.includes(name));
    const misplaced = others.find((name) => all.some((parameter) => usedName(parameter) === name));
    if (misplaced !== undefined)
      throw badParameter(misplaced, `is not a parameter of this path; use ${known.join(', ')}`);
    const wrong = findMisspelling(others, known);
    if (wrong !== undefined) throw badParameter(wrong.name, `is unknown; did you mean ${wrong.intended}?`);
  }

  /** Returns a parameter as text; undefined if it is absent or empty. */
  text(name: string): string | undefined {
    return this.values.get(name) || undefined;
  }

  /** Returns a boolean parameter; undefined if it is absent. @throws {V1Error} the value is neither true nor false */
  flag(name: string): boolean | undefined {
    const text = this.text(name)?.toLowerCase();
    if (text === undefined) return undefined;
    if (text !== 'true' && text !== 'false') throw badParameter(name, 'must be true or false');
    return text === 'true';
  }

  /**
   * Returns a numeric parameter; undefined if it is absent.
   * @throws {V1Error} the value is not an integer of at least 0
   */
  number(name: string): number | undefined {
    const text = this.text(name);
    if (text === undefined) return undefined;
    const value = Number(text);
    if (!/^\d+$/.test(text) || !Number.isSafeInteger(value)) throw badParameter(name, 'must be a whole number');
    return value;
  }

  /**
   * Returns a time in ms since 1970; undefined if it is absent. Accepts ms or an ISO 8601 date.
   * @throws {V1Error} the value is malformed
   */
  time(name: string): number | undefined {
    const text = this.text(name);
    if (text === undefined || /^\d+$/.test(text)) return this.number(name);
    const time = Date.parse(text);
    if (Number.isNaN(time)) throw badParameter(name, 'must be a time in ms or a date');
    return time;
  }

  /** Number of items per page. @throws {V1Error} `limit` is malformed or 0 */
  get limit(): number {
    const limit = this.number('limit') ?? LIMIT_DEFAULT;
    if (limit === 0) throw badParameter('limit', `must be 1..${LIMIT_MAX}`);
    return Math.min(limit, LIMIT_MAX);
  }

  /** True if the oldest items are first. @throws {V1Error} `order_by` is malformed */
  get isAscending(): boolean {
    const text = this.text('order_by');
    if (text === undefined) return false;
    const [, , , direction] = ORDER.exec(text) ?? [];
    if (direction === undefined) throw badParameter('order_by', 'must be block_timestamp,asc or block_timestamp,desc');
    return direction === 'asc';
  }

  /** Returns a copy of the query with new values of some parameters. An undefined value removes the parameter. */
  with(values: Readonly<Record<string, string | undefined>>): Query {
    return new Query(this.textWith(values));
  }

  /** Returns the text of the query with new values of some parameters. An undefined value removes the parameter. */
  textWith(values: Readonly<Record<string, string | undefined>>): string {
    const all = new URLSearchParams([...this.values]);
    for (const [name, value] of Object.entries(values)) {
      if (value === undefined) all.delete(name);
      else all.set(name, value);
    }
    return all.toString();
  }
}

function usedName(name: string): string {
  return ALIASES[name] ?? name;
}
