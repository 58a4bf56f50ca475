import t from 'tap';
import { knownKeys } from '../../../src/config/config-table.js';
import { NO_FLAGS } from '../../../src/config/flags.js';
import { readHoconText } from '../../../src/config/hocon/hocon.js';
import { configFrom } from '../../../src/config/load-config.js';
import { UsageError } from '../../../src/primitives/errors.js';

const BASE = 'storage {}\ntronicle.release = "4.8.2.3"\n';
/** Values that are wrong for most keys: another type, out of bounds, or empty. */
const VALUES = ['true', '"abc"', '""', '-1', '0', '1.5', '99999999999999999999', '{ x = 1 }', '[]', '["a"]', '[a, a]'];
/** Errors with the text of java-tron, which does not contain the key. */
const TEXTS_OF_JAVA_TRON =
  /^(Timestamp\(|Account\[|MaxFlushCount value|No enum constant|No configuration setting found for key)/;

interface Outcome {
  readonly config: string;
  readonly warnings: readonly string[];
  readonly error?: string;
}

function load(text: string): Outcome {
  try {
    const { config, warnings } = configFrom(readHoconText(`${BASE}${text}`, 'test.conf'), { flags: NO_FLAGS });
    return { config: comparable(config), warnings };
  } catch (error) {
    // Any other error would be printed with a stack.
    if (!(error instanceof UsageError)) throw error;
    return { config: '', warnings: [], error: error.message };
  }
}

function comparable(config: unknown): string {
  return JSON.stringify(config, (_name, value: unknown) => {
    if (typeof value === 'bigint') return `${value}n`;
    return value instanceof Map || value instanceof Set ? [...value] : value;
  });
}

const base = load('');
// Options of sinks are members of list elements, so they cannot be set on their own.
const keys = knownKeys.filter(({ key }) => !key.startsWith('tronicle.sinks.'));

// The error may name another key that the key needs.
t.test('names a key in the error of each invalid value', async (t) => {
  const unnamed = keys.flatMap(({ key }) =>
    VALUES.map((value) => ({ key, value, error: load(`${key} = ${value}`).error })).filter(
      ({ error }) =>
        error !== undefined && !TEXTS_OF_JAVA_TRON.test(error) && !keys.some(({ key }) => error.includes(key)),
    ),
  );
  t.strictSame(unnamed, []);
});

/** Returns true if the documentation of a key, or of an object that contains it, says that it has no effect. */
function isDocumentedAsUnused(key: string): boolean {
  return keys.some((row) => `${key}.`.startsWith(`${row.key}.`) && /without effect/.test(row.doc));
}

/** Values that are the default, although the documentation shows the default in another form. */
const DEFAULTS = new Set(['genesis.block.timestamp = 0']);

t.test('ignores no value without a warning, unless the documentation says so', async (t) => {
  // Without --witness, the node does not read the keys of witnesses.
  const read = keys.filter(({ key }) => !/^localwitness/i.test(key) && !isDocumentedAsUnused(key));
  const silent = read.flatMap(({ key, fallback }) =>
    VALUES.map((value) => ({ line: `${key} = ${value}`, isDefault: bare(value) === bare(fallback) }))
      .filter(({ line, isDefault }) => !isDefault && !DEFAULTS.has(line) && isSilent(load(line)))
      .map(({ line }) => line),
  );
  t.strictSame(silent, []);
});

function isSilent({ config, warnings, error }: Outcome): boolean {
  return error === undefined && config === base.config && warnings.length === base.warnings.length;
}

function bare(text: string): string {
  return text.replaceAll('"', '');
}
