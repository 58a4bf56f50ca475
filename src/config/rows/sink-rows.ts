import { decodeBase58Check } from '../../crypto/base58-check.js';
import { ADDRESS_BYTES, isAddress } from '../../primitives/address.js';
import { present } from '../../primitives/assert.js';
import { toHex } from '../../primitives/bytes.js';
import { UsageError } from '../../primitives/errors.js';
import { LOG_TRIGGER_TOPIC, TRANSFER_TRIGGER, TRIGGERS, type Trigger } from '../../streams/event-kinds.js';
import { type FilterOptions, PAYLOADS, type TransferOptions } from '../../streams/records/event-options.js';
import { CONTRACT_TYPE_NAMES } from '../../streams/records/transfers/contract-sources.js';
import { RESULT_NAMES } from '../../streams/records/transfers/transfer-event.js';
import { isNameOfSink } from '../../streams/sinks/checkpoint-file.js';
import { MANDATORY, type SinkMember } from '../../streams/sinks/sink-kind.js';
import {
  kindsThat,
  readSink as readSinkOf,
  SINK_TYPES,
  type SinkOptions,
  type SinkType,
  sinkMembersOf,
} from '../../streams/sinks/sink-kinds.js';
import type { SharedOptions } from '../../streams/sinks/sink-options.js';
import { addressPrefix } from '../genesis.js';
import { readHoconText } from '../hocon/hocon.js';
import { asObject, asObjects, type HoconValue, valueAt } from '../hocon/hocon-value.js';
import { ConfigMembers } from '../members.js';
import { type ConfigKey, type Described, described, row } from '../row.js';
import type { ConfigSource } from '../source.js';

/** Members that every kind of sink has. */
const SHARED = [
  ...['name', 'type', 'topics', 'payload', 'key', 'filter', 'finality', 'solidified', 'ethCompatible', 'redundancy'],
  ...['from', 'to', 'only', 'transfer'],
];
const OWN = SINK_TYPES.map((type) => ({ type, members: Object.entries(sinkMembersOf(type)) }));
const NEEDED = OWN.flatMap(({ type, members }) =>
  members.filter(([, { fallback }]) => fallback === MANDATORY).map(([name]) => `${name} for ${type}`),
);

/** Pattern of a log topic: 32 bytes in hex. */
const TOPIC = /^(0x)?[0-9a-f]{64}$/i;

/** Sinks of the node. @throws {UsageError} a member is invalid; the message names the sink and the member */
export const sinksRow: ConfigKey<readonly SinkOptions[]> = {
  ...row<readonly SinkOptions[]>(
    'tronicle.sinks',
    'object[]',
    [],
    `event sinks { ${SHARED.join(', ')} }, plus the options below of their type. Mandatory: name, type, topics, ${NEEDED.join(', ')}`,
    readSinks,
  ),
  also: ownRows(OWN),
};

interface KindMembers {
  readonly type: string;
  readonly members: readonly (readonly [
    name: string,
    member: Pick<SinkMember<unknown>, 'type' | 'doc' | 'fallback'>,
  ])[];
}

/**
 * Returns the descriptions of the options that only some kinds of sinks have. If several kinds have an option of the
 * same name, the result has one description for all of them.
 */
export function ownRows(kinds: readonly KindMembers[]): readonly Described[] {
  const byName = new Map<string, { kind: string; type: string; doc: string; fallback: string }[]>();
  for (const { type: kind, members } of kinds)
    for (const [name, { type, doc, fallback }] of members)
      byName.set(name, [...(byName.get(name) ?? []), { kind, type, doc, fallback }]);
  return [...byName].map(([name, found]) => {
    const types = new Set(found.map(({ type }) => type));
    const fallbacks = new Set(found.map(({ fallback }) => fallback));
    const fallback = fallbacks.size === 1 ? [...fallbacks] : found.map(({ kind, fallback }) => `${kind} ${fallback}`);
    const doc = found.map(({ kind, doc }) => `${kind}: ${doc}`).join('; ');
    return described(`tronicle.sinks.${name}`, [...types].join(' or '), fallback.join(', '), doc);
  });
}

/** Network of the addresses in the options of a sink. */
export interface SinkNetwork {
  /** First byte of every address. */
  readonly addressPrefix: number;
}

/** Reads a sink from JSON that has the members of `tronicle.sinks`. @throws {UsageError} a member is invalid */
export function sinkFromJson(json: object, network: SinkNetwork): SinkOptions {
  return readSink(givenIn(json), network);
}

/** Reads a `filter` from JSON. @throws {UsageError} a member is invalid */
export function filterFromJson(json: object, network: SinkNetwork): FilterOptions {
  return readFilter(givenIn({ filter: json }).object('filter'), network);
}

function givenIn(json: object): ConfigMembers {
  const root = readHoconText(JSON.stringify({ sink: json }), 'sink');
  return new ConfigMembers(asObject(present(valueAt(root, 'sink'), 'the text has that member'), 'sink'), 'sink');
}

function readSinks(value: HoconValue, key: string, source: ConfigSource): readonly SinkOptions[] {
  const network = { addressPrefix: addressPrefix(source) };
  const sinks = asObjects(value, key).map((object) => readSink(new ConfigMembers(object, key), network));
  const twice = sinks.find(({ name }, index) => sinks.findIndex((other) => other.name === name) !== index);
  if (twice) throw new UsageError(`Check ${key}, two sinks have the name "${twice.name}"`);
  return sinks;
}

function readSink(members: ConfigMembers, network: SinkNetwork): SinkOptions {
  const name = members.required('name');
  if (!isNameOfSink(name)) throw members.error('name', `must not be ${name}, which is the name of an internal file`);
  const type = members.oneOf('type', SINK_TYPES);
  const sink = readSinkOf(type, members, readShared(members, { name, type, network }));
  members.refuseOthers([...SHARED, ...Object.keys(sinkMembersOf(type))]);
  return sink;
}

function readShared(
  members: ConfigMembers,
  { name, type, network }: { readonly name: string; readonly type: SinkType; readonly network: SinkNetwork },
): SharedOptions {
  const topics = readTriggers(members, 'topics', [...TRIGGERS, LOG_TRIGGER_TOPIC]);
  if (topics.length === 0) throw members.error('topics', 'is missing');
  const isLog = topics.includes(LOG_TRIGGER_TOPIC);
  const [forLog, forBinary] = [kindsThat('supportsLog'), kindsThat('supportsBinary')];
  if (isLog && !forLog.includes(type))
    throw members.error('topics', `has ${LOG_TRIGGER_TOPIC}, which only sinks of type ${forLog.join(', ')} support`);
  if (isLog && topics.length > 1)
    throw members.error('topics', `has ${LOG_TRIGGER_TOPIC}, which must be the only topic of a sink`);
  const payload = members.oneOf('payload', PAYLOADS, 'json');
  if (payload !== 'json' && !forBinary.includes(type))
    throw members.error(
      'payload',
      `${payload} is supported only by sinks of type ${forBinary.join(', ')}; use json for type ${type}`,
    );
  const [from, to] = [members.height('from'), members.height('to')];
  if (isLog && (from !== undefined || to !== undefined))
    throw members.error(
      'from',
      `must not be set with the topic ${LOG_TRIGGER_TOPIC}, which has all entries of the log; remove from and to`,
    );
  const only = readTriggers(members, 'only');
  const extra = only.find((trigger) => !topics.includes(trigger));
  if (extra !== undefined) throw members.error('only', `has ${extra}, which is not one of the topics`);
  const transfer = readTransfer(members.object('transfer'), network);
  if (transfer !== undefined && !topics.includes(TRANSFER_TRIGGER))
    throw members.error('transfer', `needs ${TRANSFER_TRIGGER} in topics; add it, or remove transfer`);
  return {
    name,
    topics,
    payload,
    key: members.oneOf('key', ['transaction', 'contract', 'account'] as const, 'transaction'),
    filter: readFilter(members.object('filter'), network),
    finality: isLog ? 'applied' : members.oneOf('finality', ['solidified', 'applied'] as const, 'solidified'),
    solidified: readTriggers(members, 'solidified'),
    ethCompatible: members.boolean('ethCompatible', false),
    redundancy: readTriggers(members, 'redundancy'),
    ...(from !== undefined && { from: Number(from) }),
    ...(to !== undefined && { to: Number(to) }),
    ...(only.length > 0 && { only }),
    ...(transfer !== undefined && { transfer }),
  };
}

function readFilter(members: ConfigMembers | undefined, network: SinkNetwork): FilterOptions {
  if (members === undefined) return { contractAddress: [], contractTopic: [] };
  members.refuseOthers(['fromBlock', 'toBlock', 'contractAddress', 'contractTopic']);
  const [fromBlock, toBlock] = [members.height('fromBlock'), members.height('toBlock')];
  if (fromBlock !== undefined && toBlock !== undefined && fromBlock > toBlock)
    throw members.error('fromBlock', `is above toBlock, so no block matches: ${fromBlock} > ${toBlock}`);
  return {
    ...(fromBlock !== undefined && { fromBlock }),
    ...(toBlock !== undefined && { toBlock }),
    contractAddress: readAddresses(members, 'contractAddress', network),
    contractTopic: members.list('contractTopic').map((text) => {
      if (TOPIC.test(text)) return text.replace(/^0x/, '').toLowerCase();
      throw members.error('contractTopic', `has "${text}", which is not 32 bytes in hexadecimal`);
    }),
  };
}

function readTransfer(members: ConfigMembers | undefined, network: SinkNetwork): TransferOptions | undefined {
  if (members === undefined) return undefined;
  members.refuseOthers(['key', 'genesis', 'account', 'token', 'contractType', 'result']);
  const words = (name: string, known: readonly string[]): readonly string[] =>
    members.list(name).map((text) => {
      if (known.includes(text)) return text;
      throw members.error(name, `has the unknown name "${text}"; use ${known.join(', ')}`);
    });
  return {
    key: members.oneOf('key', ['recipient', 'sender', 'token'] as const, 'recipient'),
    genesis: members.boolean('genesis', false),
    account: readAddresses(members, 'account', network),
    token: readAddresses(members, 'token', network, TRX_OR_ASSET),
    contractType: words('contractType', CONTRACT_TYPE_NAMES),
    result: words('result', RESULT_NAMES),
  };
}

/**
 * Reads a list of addresses. Rejects addresses of other networks, because they would match no record.
 * @param others pattern of texts that are also valid
 */
function readAddresses(
  members: ConfigMembers,
  name: string,
  network: SinkNetwork,
  others: RegExp = NOTHING,
): readonly string[] {
  return members.list(name).map((text) => {
    if (others.test(text)) return text;
    const bytes = decodeBase58Check(text);
    if (bytes !== undefined && isAddress(bytes, network.addressPrefix)) return text;
    if (bytes?.length !== ADDRESS_BYTES)
      throw members.error(name, `has "${text}", which is not a Base58Check address such as T…`);
    const [found, expected] = [bytes.subarray(0, 1), Uint8Array.of(network.addressPrefix)].map(toHex);
    throw members.error(
      name,
      `has "${text}", which is not an address of this network: its first byte is 0x${found}, expected 0x${expected}`,
    );
  });
}

const NOTHING = /(?!)/;
/** Pattern of a currency: TRX, or the id of a TRC10 asset. */
const TRX_OR_ASSET = /^(TRX|\d{7,})$/;

function readTriggers(members: ConfigMembers, name: string, known: readonly Trigger[] = TRIGGERS): readonly Trigger[] {
  return members.list(name).map((text) => {
    const trigger = known.find((one) => one === text.toLowerCase());
    if (trigger === undefined)
      throw members.error(name, `has the unknown trigger "${text.toLowerCase()}"; use ${known.join(', ')}`);
    return trigger;
  });
}
