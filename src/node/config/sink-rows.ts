import {
  type FilterOptions,
  LOG_TOPIC,
  type SaslOptions,
  SINK_TYPES,
  type SinkOptions,
  type TlsOptions,
  TRIGGERS,
  type Trigger,
} from '../../api/streams/sink-options.js';
import { UsageError } from '../../log/domain/errors.js';
import { readHoconText } from './hocon.js';
import {
  asBoolean,
  asInt64,
  asObject,
  asObjects,
  asText,
  asTexts,
  type HoconObject,
  type HoconValue,
  originText,
  valueAt,
} from './hocon-value.js';
import { type Row, row } from './row.js';

const MEMBERS = [
  ...['name', 'type', 'topics', 'payload', 'path', 'bootstrap', 'prefix', 'topicNames', 'key'],
  ...[
    'partitions',
    'replication',
    'filter',
    'tls',
    'sasl',
    'finality',
    'solidified',
    'ethCompatible',
    'redundancy',
    'port',
  ],
  ...['from', 'to', 'only'],
];

/** @throws {UsageError} naming the sink and the member. */
export const sinksRow: Row<readonly SinkOptions[]> = {
  ...row<readonly SinkOptions[]>(
    'tronicle.sinks',
    'object[]',
    [],
    `event sinks { ${MEMBERS.join(', ')} }; name, type and topics are mandatory, path for ndjson, bootstrap for kafka`,
    readSinks,
  ),
  members: MEMBERS,
};

/** A sink that was given as JSON, with the members of `tronicle.sinks`. @throws {UsageError} */
export function sinkFromJson(json: object): SinkOptions {
  return readSink(membersOf(json));
}

/** The same for its `filter` alone. @throws {UsageError} */
export function filterFromJson(json: object): FilterOptions {
  return readFilter(membersOf({ filter: json }).object('filter'));
}

function membersOf(json: object): Members {
  const root = readHoconText(JSON.stringify({ sink: json }), 'sink');
  return new Members(asObject(valueAt(root, 'sink')!, 'sink'), 'sink');
}

function readSinks(value: HoconValue, key: string): readonly SinkOptions[] {
  const sinks = asObjects(value, key).map((object) => readSink(new Members(object, key)));
  const twice = sinks.find(({ name }, index) => sinks.findIndex((other) => other.name === name) !== index);
  if (twice) throw new UsageError(`Check ${key}, two sinks have the name "${twice.name}"`);
  return sinks;
}

function readSink(given: Members): SinkOptions {
  const name = given.required('name');
  const type = given.oneOf('type', SINK_TYPES);
  const path = given.text('path');
  const bootstrap = given.list('bootstrap');
  if (type === 'ndjson' && !path) throw given.error('path', 'is missing');
  if (type === 'kafka' && bootstrap.length === 0) throw given.error('bootstrap', 'is missing');
  const topics = readTriggers(given, 'topics', [...TRIGGERS, LOG_TOPIC]);
  if (topics.length === 0) throw given.error('topics', 'is missing');
  const isLog = topics.includes(LOG_TOPIC);
  if (isLog && type !== 'kafka') throw given.error('topics', `has ${LOG_TOPIC}, which goes to Kafka only`);
  if (isLog && topics.length > 1) throw given.error('topics', `has ${LOG_TOPIC}, which takes a sink of its own`);
  const payload = given.oneOf('payload', ['json', 'protobuf'] as const, 'json');
  if (payload === 'protobuf' && type !== 'kafka')
    throw given.error('payload', `protobuf is written to Kafka only, a sink of type ${type} writes json`);
  const port = given.port('port');
  const [from, to] = [given.height('from'), given.height('to')];
  if (isLog && (from !== undefined || to !== undefined))
    throw given.error('from', `and to are for events, the topic ${LOG_TOPIC} begins with the first entry`);
  const only = readTriggers(given, 'only');
  const extra = only.find((trigger) => !topics.includes(trigger));
  if (extra !== undefined) throw given.error('only', `names ${extra}, which is not among the topics`);
  const [tls, sasl] = [given.object('tls'), given.object('sasl')];
  return {
    name,
    type,
    topics,
    payload,
    ...(path && { path }),
    bootstrap,
    prefix: given.text('prefix') ?? 'tronicle',
    topicNames: given.map('topicNames'),
    key: given.oneOf('key', ['transaction', 'contract', 'account'] as const, 'transaction'),
    partitions: isLog ? 1 : given.count('partitions', 1),
    replication: given.count('replication', 1),
    filter: readFilter(given.object('filter')),
    ...(tls && { tls: readTls(tls) }),
    ...(sasl && { sasl: readSasl(sasl) }),
    finality: isLog ? 'applied' : given.oneOf('finality', ['solidified', 'applied'] as const, 'solidified'),
    solidified: readTriggers(given, 'solidified'),
    ethCompatible: given.boolean('ethCompatible', false),
    redundancy: readTriggers(given, 'redundancy'),
    ...(port !== undefined && { port }),
    ...(from !== undefined && { from: Number(from) }),
    ...(to !== undefined && { to: Number(to) }),
    ...(only.length > 0 && { only }),
  };
}

function readFilter(given: Members | undefined): FilterOptions {
  const [fromBlock, toBlock] = [given?.height('fromBlock'), given?.height('toBlock')];
  return {
    ...(fromBlock !== undefined && { fromBlock }),
    ...(toBlock !== undefined && { toBlock }),
    contractAddress: given?.list('contractAddress') ?? [],
    contractTopic: given?.list('contractTopic') ?? [],
  };
}

function readTls(given: Members): TlsOptions {
  const [ca, cert, key] = [given.text('ca'), given.text('cert'), given.text('key')];
  return { enable: given.boolean('enable', true), ...(ca && { ca }), ...(cert && { cert }), ...(key && { key }) };
}

function readSasl(given: Members): SaslOptions {
  return {
    mechanism: given.oneOf('mechanism', ['plain', 'scram-sha-256', 'scram-sha-512'] as const),
    username: given.required('username'),
    password: given.required('password'),
  };
}

function readTriggers(given: Members, name: string, known: readonly Trigger[] = TRIGGERS): readonly Trigger[] {
  return given.list(name).map((text) => {
    const trigger = known.find((one) => one === text.toLowerCase());
    if (trigger === undefined)
      throw given.error(name, `has no trigger "${text.toLowerCase()}", only ${known.join(', ')}`);
    return trigger;
  });
}

/** Members of one object, read with messages that say where it stands. */
class Members {
  private readonly given: HoconObject;
  private readonly key: string;

  constructor(given: HoconObject, key: string) {
    this.given = given;
    this.key = key;
  }

  text(name: string): string | undefined {
    const value = this.value(name);
    return value && asText(value, `${this.key}.${name}`);
  }

  required(name: string): string {
    const text = this.text(name);
    if (!text) throw this.error(name, 'is missing');
    return text;
  }

  oneOf<const T extends string>(name: string, words: readonly T[], fallback?: T): T {
    const given = this.text(name) ?? fallback;
    const word = words.find((known) => known === given);
    if (word === undefined) throw this.error(name, `must be one of ${words.join(', ')}`);
    return word;
  }

  boolean(name: string, fallback: boolean): boolean {
    const value = this.value(name);
    return value === undefined ? fallback : asBoolean(value, `${this.key}.${name}`);
  }

  count(name: string, fallback: number): number {
    const number = this.height(name) ?? BigInt(fallback);
    if (number < 1n || number > 10_000n) throw this.error(name, 'must be 1..10000');
    return Number(number);
  }

  port(name: string): number | undefined {
    const port = this.height(name);
    if (port !== undefined && (port < 1n || port > 65_535n)) throw this.error(name, 'must be 1..65535');
    return port === undefined ? undefined : Number(port);
  }

  height(name: string): bigint | undefined {
    const value = this.value(name);
    const height = value && asInt64(value, `${this.key}.${name}`);
    if (height !== undefined && height < 0n) throw this.error(name, 'must not be negative');
    return height;
  }

  /** A list, or one text with commas. */
  list(name: string): readonly string[] {
    const value = this.value(name);
    if (value === undefined) return [];
    if (value.kind !== 'string') return asTexts(value, `${this.key}.${name}`);
    return value.text.split(',').flatMap((item) => item.trim() || []);
  }

  map(name: string): ReadonlyMap<string, string> {
    const object = this.object(name);
    const fields = object === undefined ? [] : [...object.given.fields];
    return new Map(fields.map(([field, value]) => [field, asText(value, `${this.key}.${name}.${field}`)]));
  }

  object(name: string): Members | undefined {
    const value = this.value(name);
    return value && new Members(asObject(value, `${this.key}.${name}`), `${this.key}.${name}`);
  }

  error(name: string, what: string): UsageError {
    return new UsageError(`${originText(this.given.origin)}: Check ${this.key}.${name}, ${what}`);
  }

  private value(name: string): HoconValue | undefined {
    const value = this.given.fields.get(name);
    return value?.kind === 'null' ? undefined : value;
  }
}
