import type { JsonLibrary } from './json-library.js';
import { JsonObject, type JsonValue, printJson } from './json-value.js';

/** A JSON object whose members are printed without conversion. */
export interface PlainObject {
  readonly [name: string]: JsonValue | PlainObject | readonly PlainObject[];
}

type Printed = PlainObject | JsonValue | readonly PlainObject[];

/**
 * Returns the JSON of a Java bean. fastjson prints members in alphabetical order, Jackson in declaration order.
 * Reference: JSON.toJSONString.
 */
export function printPlain(value: Printed, library: JsonLibrary): string {
  return print(value, library, { colon: ':', join: (open, items, close) => open + items.join(',') + close });
}

/**
 * Returns the JSON of a Java bean with the line ends and the indentation of the library. The members are ordered as in
 * {@link printPlain}.
 */
export function printPretty(value: Printed, library: JsonLibrary): string {
  return print(value, library, library === 'fastjson' ? withTabs('') : withSpaces(''));
}

/** Separators, line ends and indentation between the members of an object or the items of an array. */
interface Layout {
  readonly colon: string;
  readonly inner?: Layout;
  /** Layout of values inside an array, if it differs from `inner`. */
  readonly innerOfArray?: Layout;
  join(open: string, items: readonly string[], close: string): string;
}

function withTabs(indent: string): Layout {
  return {
    colon: ':',
    get inner() {
      return withTabs(`${indent}\t`);
    },
    join: (open, items, close) =>
      items.length === 0 ? open + close : `${open}\n${indent}\t${items.join(`,\n${indent}\t`)}\n${indent}${close}`,
  };
}

/** Returns the layout of Jackson. Jackson prints the items of an array on one line. Reference: DefaultPrettyPrinter. */
function withSpaces(indent: string): Layout {
  return {
    colon: ' : ',
    get inner() {
      return withSpaces(`${indent}  `);
    },
    get innerOfArray() {
      return this;
    },
    join: (open, items, close) => {
      if (items.length === 0) return `${open} ${close}`;
      if (open === '[') return `[ ${items.join(', ')} ]`;
      return `{\n${indent}  ${items.join(`,\n${indent}  `)}\n${indent}}`;
    },
  };
}

function print(value: Printed, library: JsonLibrary, layout: Layout): string {
  const { colon, join, inner = layout, innerOfArray = inner } = layout;
  if (Array.isArray(value))
    return join(
      '[',
      value.map((item) => print(item, library, innerOfArray)),
      ']',
    );
  if (!isPlain(value)) return printJson(value as JsonValue, library);
  const entries = Object.entries(value);
  if (library === 'fastjson') entries.sort(([a], [b]) => (a < b ? -1 : 1));
  const members = entries.map(([name, member]) => `"${name}"${colon}${print(member, library, inner)}`);
  return join('{', members, '}');
}

function isPlain(value: unknown): value is PlainObject {
  return typeof value === 'object' && value !== null && !(value instanceof JsonObject) && value.constructor === Object;
}
