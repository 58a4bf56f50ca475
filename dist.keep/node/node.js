import { decodeTransaction } from '../vm/transactions/decode-transaction.js';
import { machineClock } from './clock.js';
import { ProducerKeys } from './drive/producer-keys.js';
import { openChain } from './open-chain.js';
import { NodePeers } from './peers/node-peers.js';
import { PeerMetrics } from './peers/peer-metrics.js';
import { Producer } from './producer.js';
import { stopTarget } from './stop-target.js';
/** A running node: the chain, what produces blocks for it, and what serves it to the outside. */
export class TronicleNode {
    config;
    dataDir;
    chain;
    clock;
    log;
    keys;
    target;
    peers;
    /** Set when the node must not go on: an operator has to look. */
    failure;
    /** Told of a block of this node before it is applied. */
    announce;
    /** Of a group of nodes with the same witness keys this is the one that produces. */
    isMaster = () => true;
    producer;
    services = [];
    ended = new AbortController();
    constructor({ config, dataDir, log, clock = machineClock }, chain) {
        this.config = config;
        this.dataDir = dataDir;
        this.log = log;
        this.clock = clock;
        this.peers = new NodePeers(new PeerMetrics({ hasMeters: config.node.metricsEnable, now: clock.now }));
        this.chain = chain;
        this.target = stopTarget(config, chain);
        this.keys = new ProducerKeys(config.addressPrefix);
        for (const key of config.witness.privateKeys)
            this.keys.add(key);
        chain.listeners.add({
            forked: (isFailed) => {
                const { headNumber } = chain.ledger.position;
                if (isFailed)
                    log.warn({ head: headNumber }, 'the longer branch is not taken');
                else
                    log.info({ head: headNumber }, 'the chain switches to a longer branch');
            },
            leftBehind: (reason) => {
                this.failure = reason;
                log.fatal(reason);
                this.ended.abort();
            },
        });
        if (config.witness.enabled)
            this.producer = this.createProducer();
    }
    /** @throws {UsageError | DamageError} one sentence for the operator */
    static async open(options) {
        const { config, dataDir, log, clock = machineClock } = options;
        return new TronicleNode(options, await openChain({ config, dataDir, log, now: clock.now }));
    }
    /** Ends the node in order, as a signal does. */
    stop() {
        this.ended.abort();
    }
    /** Aborts when the node must stop, see {@link failure}. */
    get mustStop() {
        return this.ended.signal;
    }
    /** Adds a service; the newest is closed first. */
    add(service) {
        this.services.push(service);
    }
    /** A block of somebody else is about to be executed. */
    blockCame(block) {
        this.producer?.blockCame(block);
    }
    startProducing() {
        this.producer?.start();
    }
    /** Produces the block of the present slot at once, when it is ours. */
    async produceNow() {
        return (await this.producer?.tick()) ?? false;
    }
    /** Checks a transaction and lets it wait. @throws {ChainError} every refusal */
    submit(message) {
        const transaction = decodeTransaction(message);
        this.chain.pool.offer(transaction);
        return transaction;
    }
    async close() {
        this.producer?.stop();
        for (const service of [...this.services].reverse())
            await service.close();
        await this.chain.ledger.close();
    }
    createProducer() {
        const { config, chain, clock, log, keys } = this;
        const { accountAddress, privateKeys } = config.witness;
        log.info({ witness: accountAddress, keys: privateKeys.length }, 'produces blocks');
        return new Producer({
            chain,
            keys,
            clock,
            log,
            isSorted: config.node.openTransactionSort,
            timeoutPercent: config.node.blockProducedTimeOut,
            minParticipationRate: config.node.minParticipationRate,
            needsSyncFirst: config.block.needSyncCheck,
            announce: (block) => this.announce?.(block),
            isMaster: () => this.isMaster(),
        });
    }
}
//# sourceMappingURL=node.js.map