import { itemAt } from '../../primitives/assert.js';
import { type HoconNode, type ObjectNode, setField } from './hocon-nodes.js';

/** A line of a properties file with its continuation lines. The backslashes at the line ends are removed. */
interface LogicalLine {
  readonly text: string;
  /** Number of its first line in the file, from 1. */
  readonly line: number;
}

/** Matches the key, the separator and the value of a line. The key may contain escaped separators. */
const PARTS = /^((?:\\.|[^\\=: \t\f])*)[ \t\f]*[=:]?[ \t\f]*(.*)$/s;
/** Matches a line end that continues on the next line: an odd number of backslashes. */
const CONTINUED = /(?<!\\)(?:\\\\)*\\$/;
const ESCAPES: Readonly<Record<string, string>> = { t: '\t', n: '\n', r: '\r', f: '\f' };

/**
 * Parses a Java properties file. The dots of a key separate the names of nested objects, and every value is a text. A
 * key that also is the name of an object is ignored. Reference: Properties.load, PropertiesParser.fromPathMap.
 */
export function parseProperties(text: string, file: string): ObjectNode {
  const values = new Map<string, HoconNode>();
  for (const { text: content, line } of logicalLines(text)) {
    const [, key = '', value = ''] = PARTS.exec(content) ?? [];
    values.set(unescaped(key), { kind: 'string', text: unescaped(value), origin: { file, line } });
  }
  const objects = new Set([...values.keys()].flatMap(prefixesOf));
  const root: ObjectNode = { kind: 'object', fields: new Map(), origin: { file, line: 1 } };
  for (const [key, value] of values) {
    if (objects.has(key)) continue;
    const names = key.split('.');
    setField(root.fields, itemAt(names, 0), nested(names.slice(1), value));
  }
  return root;
}

function* logicalLines(text: string): Iterable<LogicalLine> {
  const lines = text.split(/\r\n|\r|\n/).map((line) => line.replace(/^[ \t\f]+/, ''));
  for (let at = 0; at < lines.length; at++) {
    let content = itemAt(lines, at);
    if (content === '' || /^[#!]/.test(content)) continue;
    const line = at + 1;
    while (CONTINUED.test(content)) content = content.slice(0, -1) + (lines[++at] ?? '');
    yield { text: content, line };
  }
}

function unescaped(text: string): string {
  return text.replace(/\\(?:u([0-9a-fA-F]{4})|(.))/gs, (_whole, code: string | undefined, sign: string) =>
    code === undefined ? (ESCAPES[sign] ?? sign) : String.fromCharCode(Number.parseInt(code, 16)),
  );
}

function prefixesOf(key: string): string[] {
  const names = key.split('.');
  return names.slice(1).map((_, at) => names.slice(0, at + 1).join('.'));
}

function nested(names: readonly string[], value: HoconNode): HoconNode {
  return names.reduceRight<HoconNode>(
    (inner, name) => ({ kind: 'object', fields: new Map([[name, inner]]), origin: value.origin }),
    value,
  );
}
