import { basename } from 'node:path';
import { EVENT_TRIGGERS, QUEUE_PORT } from '../../api/streams/sink-options.js';
/** Names of the sinks that `event.subscribe` asks for: their places are remembered under these. */
const QUEUE = 'event-queue';
const PLUGIN = 'event-plugin';
/**
 * The reference's section `event.subscribe` (with `--es`) as sinks: its native queue is a ZeroMQ publisher, its Kafka plugin our Kafka
 * sink with the plugin's topics. Both speak at once of every block, as the reference does, and of nothing twice.
 */
export function eventSinks({ eventSubscription, eventSubscribe: subscribe }, log) {
    if (!eventSubscription || subscribe === undefined)
        return [];
    const shared = sharedOptions(subscribe);
    if (shared.topics.length === 0)
        return [];
    if (subscribe.native.useNativeQueue) {
        const { bindPort } = subscribe.native;
        return [{ ...shared, name: QUEUE, type: 'zeromq', port: bindPort > 0 ? bindPort : QUEUE_PORT }];
    }
    if (/kafka/i.test(basename(subscribe.path))) {
        const bootstrap = subscribe.server.split(',').flatMap((server) => server.trim() || []);
        return [{ ...shared, name: PLUGIN, type: 'kafka', bootstrap }];
    }
    log.error({ path: subscribe.path }, 'event.subscribe.path: plugins of the reference are not loaded; the Kafka plugin (its name has "kafka" in it) and the native queue are built in');
    return [];
}
function sharedOptions(subscribe) {
    const topics = EVENT_TRIGGERS.flatMap((trigger) => {
        const topic = subscribe.topics.findLast(({ triggerName }) => triggerName.toLowerCase() === trigger);
        return topic?.enable === true ? [{ ...topic, trigger }] : [];
    });
    const withOption = (option) => topics.filter((topic) => topic[option]).map(({ trigger }) => trigger);
    return {
        topics: topics.map(({ trigger }) => trigger),
        payload: 'json',
        bootstrap: [],
        prefix: 'tronicle',
        topicNames: new Map(topics.map(({ trigger, topic }) => [trigger, topic])),
        key: 'transaction',
        partitions: 1,
        replication: 1,
        filter: filterOf(subscribe.filter),
        finality: 'applied',
        asReference: true,
        ethCompatible: topics.some(({ ethCompatible }) => ethCompatible),
        redundancy: withOption('redundancy'),
        solidified: withOption('solidified'),
    };
}
/** A lower bound of -1 or an upper one of 0 lets nothing through, not even block 0. */
function filterOf(filter) {
    if (filter === undefined)
        return { contractAddress: [], contractTopic: [] };
    const { fromBlock, toBlock, contractAddresses, contractTopics } = filter;
    const isNothing = fromBlock === -1n || toBlock === 0n;
    return {
        fromBlock,
        ...(isNothing ? { toBlock: -1n } : toBlock >= 0n ? { toBlock } : {}),
        contractAddress: contractAddresses,
        contractTopic: contractTopics,
    };
}
//# sourceMappingURL=event-sinks.js.map