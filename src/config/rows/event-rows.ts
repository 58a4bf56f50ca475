import { UsageError } from '../../primitives/errors.js';
import {
  asBoolean,
  asInt32,
  asInt64,
  asObject,
  asObjects,
  asText,
  asTexts,
  type HoconObject,
  type HoconValue,
  hoconInt64,
  originText,
  unwrappedText,
  valueAt,
} from '../hocon/hocon-value.js';
import { ConfigMembers } from '../members.js';
import { fileRulesOf } from '../release-defaults.js';
import { type ConfigKey, type Described, described, row } from '../row.js';
import type { ConfigSource } from '../source.js';
import { tronicleRows } from './tronicle-rows.js';

/** An element of `topics`. Trigger names are case-insensitive. */
export interface TriggerConfig {
  readonly triggerName: string;
  readonly enable: boolean;
  readonly topic: string;
  readonly redundancy: boolean;
  readonly ethCompatible: boolean;
  readonly solidified: boolean;
}

/**
 * Filter for contract events and logs. If `fromBlock` is 0, the filter starts at the first block. If `toBlock` is −1,
 * the filter has no end.
 */
export interface EventFilterConfig {
  readonly fromBlock: bigint;
  readonly toBlock: bigint;
  readonly contractAddresses: readonly string[];
  readonly contractTopics: readonly string[];
}

/** Section `event.subscribe`. It has an effect only if events are enabled. */
export interface EventSubscribe {
  /**
   * Value of `event.subscribe.enable`. Only some releases read this key. In the other releases, only the flag `--es`
   * enables events.
   */
  readonly isOn: boolean;
  /**
   * True for version 1 of the event service, which creates the events of a block after its execution. Version 0 creates
   * them during the execution.
   */
  readonly isPolled: boolean;
  /** Height from which the node emits past events again at every start. With 0 or less, it emits no past events. */
  readonly startSyncBlockNum: bigint;
  readonly native: { readonly useNativeQueue: boolean; readonly bindPort: number; readonly sendQueueLength: number };
  readonly path: string;
  readonly server: string;
  readonly dbConfig: string;
  readonly topics: readonly TriggerConfig[];
  readonly filter?: EventFilterConfig;
}

const MEMBERS = ['triggerName', 'enable', 'topic', 'redundancy', 'ethCompatible', 'solidified'] as const;

/** True to decode contract logs with the ABI. This key is read even if the other keys of the section are not read. */
export const contractParseRow: ConfigKey<boolean> = contractParse();

/** Section `event.subscribe`; undefined if absent. @throws {UsageError} a trigger or a filter lacks a member */
export const eventSubscribeRow: ConfigKey<EventSubscribe | undefined> = {
  ...row<EventSubscribe | undefined>(
    'event.subscribe',
    'object',
    undefined,
    'event subscription of java-tron; used only with --es or event.subscribe.enable',
    readSection,
  ),
  also: members(),
};

function contractParse(): ConfigKey<boolean> {
  const key = 'event.subscribe.contractParse';
  const configKey = row(key, 'bool', true, 'decodes contract logs into events with the ABI of the contract', asBoolean);
  return {
    ...configKey,
    read: (source) => {
      const flagValue = source.flags.keys.get(key);
      return flagValue === undefined || flagValue === '' ? configKey.read(source) : flagValue.toLowerCase() === 'true';
    },
  };
}

/** Reads the section `event.subscribe`. Reference: Args.getEventPluginConfig, Args.getEventFilter. */
function readSection(_value: unknown, _key: string, source: ConfigSource): EventSubscribe {
  const native = readNative(source);
  const plugin = (name: string) => (native.useNativeQueue ? '' : (textOf(source, name) ?? '').trim());
  const { bindsSections } = fileRulesOf(tronicleRows.release.read(source));
  const filter = readFilter(source, bindsSections);
  const member = <T>(name: string, as: (value: HoconValue, key: string) => T, fallback: T): T => {
    const key = `event.subscribe.${name}`;
    const value = valueAt(source.root, key);
    return value === undefined ? fallback : as(value, key);
  };
  return {
    isOn: member('enable', asBoolean, false),
    isPolled: member('version', asInt32, 0) === 1,
    startSyncBlockNum: member('startSyncBlockNum', asInt64, 0n),
    native,
    path: plugin('path'),
    server: plugin('server'),
    dbConfig: plugin('dbconfig'),
    topics: readTopics(source, bindsSections),
    ...(filter && { filter }),
  };
}

/** Reads the section `native`. Port and queue length have an effect only if `useNativeQueue` is set. */
function readNative({ root }: ConfigSource): EventSubscribe['native'] {
  const at = (name: string) => ({
    key: `event.subscribe.native.${name}`,
    value: valueAt(root, `event.subscribe.native.${name}`),
  });
  const use = at('useNativeQueue');
  if (use.value === undefined) return { useNativeQueue: false, bindPort: 0, sendQueueLength: 0 };
  const [port, length] = [at('bindport'), at('sendqueuelength')];
  return {
    useNativeQueue: asBoolean(use.value, use.key),
    bindPort: port.value === undefined ? 0 : asInt32(port.value, port.key),
    sendQueueLength: length.value === undefined ? 0 : asInt32(length.value, length.key),
  };
}

function readTopics(source: ConfigSource, hasTypes: boolean): readonly TriggerConfig[] {
  const key = 'event.subscribe.topics';
  const value = valueAt(source.root, key);
  if (value === undefined) return [];
  const read = hasTypes ? readTypedTrigger : (object: HoconObject) => readTrigger(object, source);
  return asObjects(value, key).map(read);
}

/** Reads a trigger whose members are all optional. Reference: EventConfig.TOPIC_DEFAULTS. */
function readTypedTrigger(object: HoconObject): TriggerConfig {
  const members = new ConfigMembers(object, 'event.subscribe.topics');
  return {
    triggerName: members.text('triggerName') ?? '',
    enable: members.boolean('enable', false),
    topic: members.text('topic') ?? '',
    redundancy: members.boolean('redundancy', false),
    ethCompatible: members.boolean('ethCompatible', false),
    solidified: members.boolean('solidified', false),
  };
}

/** Reads a trigger. Warns of a flag that is neither true nor false, which java-tron reads as false. */
function readTrigger(object: HoconObject, source: ConfigSource): TriggerConfig {
  const optional = (name: (typeof MEMBERS)[number]) => {
    const value = object.fields.get(name);
    return value && unwrappedText(value, `event.subscribe.topics.${name}`);
  };
  const required = (name: (typeof MEMBERS)[number]) => {
    const text = optional(name);
    if (text !== undefined) return text;
    const { file, line } = object.origin;
    throw new UsageError(`${file}: ${line}: an element of event.subscribe.topics has no ${name}`);
  };
  const isTrue = (name: (typeof MEMBERS)[number], text: string | undefined) => {
    const word = text?.toLowerCase() ?? 'false';
    if (word !== 'true' && word !== 'false')
      source.warn(
        `${originText(object.origin)}: event.subscribe.topics: ${name} = ${text} is neither true nor false, the node uses false`,
      );
    return word === 'true';
  };
  return {
    triggerName: required('triggerName'),
    enable: isTrue('enable', required('enable')),
    topic: required('topic'),
    redundancy: isTrue('redundancy', optional('redundancy')),
    ethCompatible: isTrue('ethCompatible', optional('ethCompatible')),
    solidified: isTrue('solidified', optional('solidified')),
  };
}

/**
 * Reads the filter. If a bound is not a number, adds a warning and ignores the whole filter.
 * @param hasDefaults true if a missing member selects everything, false if it is an error
 */
function readFilter(source: ConfigSource, hasDefaults: boolean): EventFilterConfig | undefined {
  const key = 'event.subscribe.filter';
  const value = valueAt(source.root, key);
  if (value === undefined) return undefined;
  asObject(value, key);
  const member = (name: string) => {
    const found = valueAt(source.root, `${key}.${name}`);
    if (found !== undefined || hasDefaults) return found;
    throw new UsageError(`No configuration setting found for key '${key}.${name}'`);
  };
  const bound = (name: string, word: string, open: bigint) => {
    const found = member(name);
    const text = found === undefined ? '' : asText(found, `${key}.${name}`).trim();
    return text === '' || text.toLowerCase() === word ? open : hoconInt64(text);
  };
  const fromBlock = bound('fromblock', 'earliest', 0n);
  if (fromBlock === undefined) return off(source, 'fromblock');
  const toBlock = bound('toblock', 'latest', -1n);
  if (toBlock === undefined) return off(source, 'toblock');
  const texts = (name: string) => {
    const found = member(name);
    return found === undefined ? [] : asTexts(found, `${key}.${name}`).filter((text) => text !== '');
  };
  return { fromBlock, toBlock, contractAddresses: texts('contractAddress'), contractTopics: texts('contractTopic') };
}

function off(source: ConfigSource, name: string): undefined {
  source.warn(`invalid filter: event.subscribe.filter.${name} is not a number, so nothing is filtered`);
  return undefined;
}

function textOf({ root }: ConfigSource, name: string): string | undefined {
  const key = `event.subscribe.${name}`;
  const value = valueAt(root, key);
  return value && asText(value, key);
}

function members(): readonly Described[] {
  const at = (name: string, type: string, fallback: string, doc: string) =>
    described(`event.subscribe.${name}`, type, fallback, doc);
  const topics = at(
    'topics',
    'object[]',
    '[]',
    `elements { ${MEMBERS.join(', ')} }; triggerName, enable and topic are mandatory in release 4.7.2`,
  );
  return [
    at('enable', 'bool', 'false', 'enables events, as --es does; since release 4.8.2'),
    at(
      'version',
      'int',
      '0',
      '0: the node creates the events of a block during the execution of the block. 1: the node creates the events after the execution; since release 4.8.2',
    ),
    at(
      'startSyncBlockNum',
      'long',
      '0',
      'with version 1: height from which every start sends the canonical blocks again, up to the solidified block. 0: no block is sent again',
    ),
    at(
      'native.useNativeQueue',
      'bool',
      'false',
      'true: publishes events with ZeroMQ and ignores the keys path, server and dbconfig of event.subscribe',
    ),
    at('native.bindport', 'int', '0', 'port of the ZeroMQ publisher; 0 or less means 5555'),
    at('native.sendqueuelength', 'int', '0', 'without effect; the queue length is fixed'),
    at(
      'path',
      'string',
      '""',
      'path of java-tron\'s plugin; if the file name contains "kafka", the built-in Kafka sink is used',
    ),
    at('server', 'string', '""', 'Kafka bootstrap servers, or host:port of MongoDB'),
    at('dbconfig', 'string', '""', 'MongoDB: dbname|user|password or dbname|user|password|version; without effect'),
    { ...topics, members: MEMBERS },
    at(
      'filter',
      'object',
      'absent',
      'filter for contract events and logs; all keys of the filter are mandatory in release 4.7.2',
    ),
    at(
      'filter.fromblock',
      'string',
      'mandatory',
      'first block height; "" and "earliest" mean 0; an invalid number disables the filter',
    ),
    at(
      'filter.toblock',
      'string',
      'mandatory',
      'last block height; "" and "latest" mean no limit; an invalid number disables the filter',
    ),
    at(
      'filter.contractAddress',
      'string[]',
      'mandatory',
      'Base58Check addresses of contracts; empty texts are ignored',
    ),
    at('filter.contractTopic', 'string[]', 'mandatory', 'log topics; empty texts are ignored'),
  ];
}
