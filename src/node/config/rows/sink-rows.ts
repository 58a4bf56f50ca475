import { present } from '../../../domain/assert.js';
import { UsageError } from '../../../domain/errors.js';
import { readHoconText } from '../../../hocon/hocon.js';
import { asObject, asObjects, type HoconValue, valueAt } from '../../../hocon/hocon-value.js';
import { isNameOfSink } from '../../../streams/sinks/place-file.js';
import {
  type FilterOptions,
  LOG_TOPIC,
  SINK_TYPES,
  type SinkOptions,
  TRIGGERS,
  type Trigger,
} from '../../../streams/sinks/sink-options.js';
import { readSasl, readTls } from '../kafka-access.js';
import { Members } from '../members.js';
import { type Row, row } from '../row.js';

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
  return new Members(asObject(present(valueAt(root, 'sink'), 'the text has that member'), 'sink'), 'sink');
}

function readSinks(value: HoconValue, key: string): readonly SinkOptions[] {
  const sinks = asObjects(value, key).map((object) => readSink(new Members(object, key)));
  const twice = sinks.find(({ name }, index) => sinks.findIndex((other) => other.name === name) !== index);
  if (twice) throw new UsageError(`Check ${key}, two sinks have the name "${twice.name}"`);
  return sinks;
}

function readSink(given: Members): SinkOptions {
  const name = given.required('name');
  if (!isNameOfSink(name)) throw given.error('name', `must not be ${name}: a file of the node has that name`);
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

function readTriggers(given: Members, name: string, known: readonly Trigger[] = TRIGGERS): readonly Trigger[] {
  return given.list(name).map((text) => {
    const trigger = known.find((one) => one === text.toLowerCase());
    if (trigger === undefined)
      throw given.error(name, `has no trigger "${text.toLowerCase()}", only ${known.join(', ')}`);
    return trigger;
  });
}
