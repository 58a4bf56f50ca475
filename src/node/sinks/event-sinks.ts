import { basename } from 'node:path';
import type { Logger } from 'pino';
import { apiRelease } from '../../api/releases/releases.js';
import type { NodeConfig } from '../../config/load-config.js';
import type { EventFilterConfig, EventSubscribe, TriggerConfig } from '../../config/rows/event-rows.js';
import { UsageError } from '../../primitives/errors.js';
import { intendedWord } from '../../primitives/nearest-word.js';
import { EVENT_TRIGGERS, type Trigger } from '../../streams/event-kinds.js';
import type { KafkaOptions } from '../../streams/sinks/kafka/kafka-options.js';
import type { SinkOptions } from '../../streams/sinks/sink-kinds.js';
import type { SharedOptions } from '../../streams/sinks/sink-options.js';
import { QUEUE_PORT } from '../../streams/sinks/zeromq/zeromq-kind.js';

/** Name of the sink for java-tron's native queue. The sink's position in the log is stored under this name. */
const QUEUE = 'event-queue';
/** Name of the sink for java-tron's Kafka plugin. The sink's position in the log is stored under this name. */
const PLUGIN = 'event-plugin';

/**
 * Converts the section `event.subscribe` to sinks. java-tron's native queue becomes a ZeroMQ sink. java-tron's Kafka
 * plugin becomes a Kafka sink with the topics of the plugin.
 *
 * As in java-tron, both sinks emit every block when it is applied. Without a configured start height, they emit each
 * block once. With a start height, they emit all blocks from that height again at every start.
 * @param solidified solidified height
 * @throws {UsageError} the plugin is not built in, and the release does not start without it
 */
export function eventSinks(
  { eventSubscription, eventSubscribe: subscribe, tronicle }: NodeConfig,
  solidified: number,
  log: Logger,
): readonly SinkOptions[] {
  const { hasEventService } = apiRelease(tronicle.release);
  const isOn = eventSubscription || (hasEventService && subscribe?.isOn === true);
  if (!isOn) return [];
  if (subscribe === undefined) {
    log.warn('events are enabled, but the configuration has no section event.subscribe, so no events are sent');
    return [];
  }
  warnOfUnknown(subscribe, log);
  const service = hasEventService && subscribe.isPolled ? polled(subscribe, solidified) : {};
  const shared = { ...sharedOptions(subscribe), ...service };
  if (shared.topics.length === 0) {
    log.warn('event.subscribe.topics has no enabled trigger, so no events are sent; set enable = true for a trigger');
    return [];
  }
  if (subscribe.native.useNativeQueue) {
    const { bindPort } = subscribe.native;
    return [{ ...shared, name: QUEUE, type: 'zeromq', port: bindPort > 0 ? bindPort : QUEUE_PORT }];
  }
  if (/kafka/i.test(basename(subscribe.path))) {
    const bootstrap = subscribe.server.split(',').flatMap((server) => server.trim() || []);
    const options = pluginOptions(subscribe);
    // The plugin sends nothing for a trigger whose topic is empty.
    const topics = shared.topics.filter((trigger) => options.topicNames.get(trigger) !== '');
    return topics.length === 0 ? [] : [{ ...shared, topics, name: PLUGIN, type: 'kafka', bootstrap, ...options }];
  }
  if (hasEventService) throw new UsageError(`${NO_PLUGIN}: ${subscribe.path}`);
  log.error({ path: subscribe.path }, NO_PLUGIN);
  return [];
}

/** Warns of elements with an unknown trigger name. java-tron ignores these elements without a message. */
function warnOfUnknown({ topics }: EventSubscribe, log: Logger): void {
  const known: readonly string[] = EVENT_TRIGGERS;
  for (const { triggerName } of topics) {
    if (known.includes(triggerName.toLowerCase())) continue;
    const intended = intendedWord(triggerName, known);
    const hint = intended === undefined ? `use ${known.join(', ')}` : `did you mean ${intended}?`;
    log.warn(`event.subscribe.topics: the triggerName ${triggerName} is unknown and has no effect; ${hint}`);
  }
}

const NO_PLUGIN =
  'event.subscribe.path: this java-tron plugin is not supported; use the built-in Kafka plugin (a path with "kafka") or the native queue';

/**
 * Returns the sink options for event service version 1. Without a configured start height, the sink starts after the
 * solidified block. Reference: HistoryEventService.
 */
function polled(
  { startSyncBlockNum: start }: EventSubscribe,
  solidified: number,
): Pick<SinkOptions, 'polled' | 'from' | 'repeats'> {
  if (start <= 0n) return { polled: true, from: solidified + 1 };
  const from = Math.max(1, Number(start < BigInt(solidified) ? start : BigInt(solidified)));
  return { polled: true, from, repeats: true };
}

/** Returns the options with the topic names that the plugin uses. */
function pluginOptions(subscribe: EventSubscribe): Omit<KafkaOptions, 'bootstrap'> {
  const topicNames = new Map(topicsOf(subscribe).map(({ trigger, topic }) => [trigger, topic]));
  return { prefix: 'tronicle', topicNames, partitions: 1, replication: 1 };
}

/**
 * Returns the enabled triggers. If several elements configure the same trigger, the last element decides if it is
 * enabled. The options of an element also apply to later elements, until an element disables the trigger. Reference:
 * EventPluginLoader.setSingleTriggerConfig.
 */
function topicsOf({ topics }: EventSubscribe): readonly (TriggerConfig & { readonly trigger: Trigger })[] {
  return EVENT_TRIGGERS.flatMap((trigger) => {
    let known: TriggerConfig | undefined;
    for (const topic of topics) {
      if (topic.triggerName.toLowerCase() !== trigger) continue;
      known = known?.enable && topic.enable ? withOptionsOf(topic, known) : topic;
    }
    return known?.enable === true ? [{ ...known, trigger }] : [];
  });
}

function withOptionsOf(topic: TriggerConfig, before: TriggerConfig): TriggerConfig {
  return {
    ...topic,
    redundancy: topic.redundancy || before.redundancy,
    ethCompatible: topic.ethCompatible || before.ethCompatible,
    solidified: topic.solidified || before.solidified,
  };
}

function sharedOptions(subscribe: EventSubscribe): Omit<SharedOptions, 'name'> {
  const topics = topicsOf(subscribe);
  const withOption = (option: 'redundancy' | 'solidified'): Trigger[] =>
    topics.filter((topic) => topic[option]).map(({ trigger }) => trigger);
  return {
    topics: topics.map(({ trigger }) => trigger),
    payload: 'json',
    key: 'transaction',
    filter: filterOf(subscribe.filter),
    finality: 'applied',
    asReference: true,
    ethCompatible: topics.some(({ trigger, ethCompatible }) => trigger === 'transaction' && ethCompatible),
    redundancy: withOption('redundancy'),
    solidified: withOption('solidified'),
  };
}

/** Converts the filter. A filter matches no block if its lower bound is −1, or if its upper bound is 0 or below −1. */
function filterOf(filter: EventFilterConfig | undefined): SinkOptions['filter'] {
  if (filter === undefined) return { contractAddress: [], contractTopic: [] };
  const { fromBlock, toBlock, contractAddresses, contractTopics } = filter;
  const isNothing = fromBlock === -1n || toBlock === 0n;
  return {
    fromBlock,
    ...(isNothing ? { toBlock: -1n } : toBlock === -1n ? {} : { toBlock }),
    contractAddress: contractAddresses,
    contractTopic: contractTopics,
  };
}
