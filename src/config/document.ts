import { TRIGGERS } from '../streams/event-kinds.js';
import { avroSchemaOf } from '../streams/records/avro/avro-schema.js';
import { jsonSchemaOf } from '../streams/records/schema/json-schema.js';
import { movementKinds } from '../streams/records/transfers/kinds.js';
import { asyncApiDocument } from '../streams/sinks/kafka/async-api.js';
import { docOf, SINK_TYPES } from '../streams/sinks/sink-kinds.js';
import { knownKeys } from './config-table.js';
import { flagRows } from './flags.js';
import type { Described } from './row.js';

/** Returns the tables of `config/README.md` with all keys and flags. */
export function configReference(): string {
  const sections = new Map<string, Described[]>();
  for (const row of knownKeys) {
    const name = sectionOf(row.key);
    sections.set(name, [...(sections.get(name) ?? []), row]);
  }
  const keys = [...sections].map(([name, rows]) => `### ${name}\n\n${keyTable(rows)}`);
  return `## Keys\n\n${keys.join('\n\n')}\n\n## Flags\n\n${flagTable()}\n`;
}

/** Returns the table of `docs/streams.md` with all kinds of sinks and their guarantees. */
export function sinkReference(): string {
  const lines = SINK_TYPES.map((type) => {
    const { is, guarantee, because, shownBy } = docOf(type);
    return line([code(type), is, guarantee, because, shownBy]);
  });
  const head = ['| `type` | sink | guarantee | reason | verified by |', '|---|---|---|---|---|'];
  return [...head, ...lines].join('\n');
}

/** Returns the table of `docs/streams.md` with the kinds of records of the topic `transfer`. */
export function movementReference(): string {
  const lines = Object.entries(movementKinds).map(([kind, doc]) => line([code(kind), doc]));
  return ['| `kind` | movement |', '|---|---|', ...lines].join('\n');
}

/**
 * Returns the files of `docs/public/schemas` by name: the JSON Schema and the Avro schema of each trigger, and the
 * AsyncAPI document.
 */
export function schemaFiles(): ReadonlyMap<string, string> {
  const text = (schema: object): string => `${JSON.stringify(schema, undefined, 2)}\n`;
  const schemas = TRIGGERS.map((trigger) => [`${trigger}.json`, text(jsonSchemaOf(trigger))] as const);
  const avro = TRIGGERS.map((trigger) => [`${trigger}.avsc`, text(avroSchemaOf(trigger))] as const);
  return new Map([...schemas, ...avro, ['asyncapi.json', text(asyncApiDocument())]]);
}

function keyTable(rows: readonly Described[]): string {
  const lines = rows.map(({ key, type, fallback, doc, limits }) =>
    line([code(key), type, code(fallback), limits === undefined ? doc : `${doc} (${limits})`]),
  );
  return ['| key | type | default | meaning |', '|---|---|---|---|', ...lines].join('\n');
}

function flagTable(): string {
  const lines = flagRows.map(({ names, kind, doc, fallback }) =>
    line([
      names.map(code).join(', '),
      kind === 'switch' ? '' : kind,
      fallback === undefined ? doc : `${doc} (default: ${fallback})`,
    ]),
  );
  const seeds = line(['positional arguments', 'ip:port', 'addresses of seed nodes, which replace seed.node.ip.list']);
  return ['| flag | value | meaning |', '|---|---|---|', ...lines, seeds].join('\n');
}

function line(cells: readonly string[]): string {
  return `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
}

function code(text: string): string {
  return text === '' ? '' : `\`${text}\``;
}

/**
 * Returns the section of a key in the document: the first name of the key. In a large section, it is the first two
 * names. Witness keys have their own section.
 */
function sectionOf(key: string): string {
  const [first = '', second = ''] = key.split('.');
  if (first.startsWith('local')) return 'local witness';
  const subsections = ['rpc', 'http', 'jsonrpc', 'dns', 'metrics', 'discovery', 'backup', 'shutdown'];
  return first === 'node' && subsections.includes(second) ? `node.${second}` : first;
}
