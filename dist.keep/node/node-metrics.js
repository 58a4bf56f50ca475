import { statSync } from 'node:fs';
import { join } from 'node:path';
import { Counter, Gauge } from 'prom-client';
import { enumNames } from '../api/json/enum-names.js';
import { ChainMetrics } from '../api/metrics/chain-metrics.js';
import { addLoopDelay } from '../api/metrics/loop-delay.js';
import { addMachineMetrics } from '../api/metrics/machine-metrics.js';
import { addressText } from '../api/streams/triggers/address-text.js';
import { TransactionContractContractType } from '../log/codec/generated/messages.js';
import { addressBytes } from '../log/domain/address.js';
import { activeWitnesses } from '../vm/consensus/schedule.js';
import { PeerMetrics } from './peers/peer-metrics.js';
const SINK_STATES = ['starting', 'forwarding', 'retrying', 'stopped', 'closed'];
/** The reference names its engine, the database and the level of its files; here there is one file each. */
const ENVIRONMENTS = ['log', 'state'];
const ENGINE = 'LMDB';
const LEVEL = '0';
/** Counts what the deciding thread does, from its creation until `close`. */
export class NodeMetrics {
    options;
    counters;
    ofPeers;
    listener;
    stopDelay;
    differing;
    /** Slots that each witness has missed, as of the last block. */
    missed = new Map();
    constructor(options) {
        const { chain, hasMeters, peers } = options;
        this.options = options;
        this.ofPeers = peers?.counts ?? new PeerMetrics({ hasMeters, now: Date.now });
        this.counters = new ChainMetrics({ hasMeters, now: () => performance.now() });
        const { registry } = this.counters.set;
        addMachineMetrics(registry);
        this.stopDelay = addLoopDelay(registry, 'main');
        addOwnMetrics(registry, options);
        this.differing = new Counter({
            name: 'tronicle_block_differs_total',
            help: 'Blocks of their witnesses whose result is another one here; each is refused and has a file in differing/',
            registers: [registry],
        });
        this.newlyMissed();
        const { headNumber } = chain.ledger.position;
        this.counters.set.set('tron:header_height', headNumber);
        this.counters.set.set('tron:header_time', chain.state.properties.number('latest_block_header_timestamp'));
        this.listener = this.createListener();
        chain.listeners.add(this.listener);
        chain.pool.observer = {
            refused: ({ exception }) => this.counters.transactionRefused(exception),
            timedOut: (count) => this.counters.transactionsTimedOut(count),
            executed: ({ contractType }, seconds, isPacked) => this.counters.transactionExecuted(isPacked ? 'block' : 'trx', nameOf(contractType), seconds),
        };
    }
    async snapshot() {
        this.readGauges();
        return [...(await this.counters.set.snapshot()), ...(await this.ofPeers.set.snapshot())];
    }
    statistics() {
        return { ...this.counters.statistics(), ofPeers: this.ofPeers.statistics() };
    }
    sinks() {
        return [...(this.options.sinks?.values() ?? [])];
    }
    replica() {
        return this.options.lag?.status;
    }
    async close() {
        const { chain } = this.options;
        chain.listeners.delete(this.listener);
        chain.pool.observer = undefined;
        this.stopDelay();
    }
    createListener() {
        const { counters } = this;
        return {
            applied: (block) => counters.blockApplied(factsOf(block), this.newlyMissed()),
            pushed: (_, seconds) => counters.blockPushed(seconds),
            forked: (hasFailed) => counters.forked(hasFailed),
            signed: (seconds) => counters.signaturesChecked(seconds),
            executed: ({ contractType }, seconds) => counters.transactionExecuted('block', nameOf(contractType), seconds),
            differs: () => this.differing.inc(),
            produced: (miner, seconds, delaySeconds) => counters.blockProduced(addressText(miner), seconds, delaySeconds),
        };
    }
    /** Slots that witnesses missed since the last question, by address. */
    newlyMissed() {
        const { state } = this.options.chain;
        const newly = new Map();
        for (const witness of activeWitnesses(state)) {
            const total = state.witnesses.get(witness)?.totalMissed ?? 0n;
            const slots = Number(total - (this.missed.get(witness) ?? total));
            this.missed.set(witness, total);
            if (slots > 0)
                newly.set(addressText(addressBytes(witness)), slots);
        }
        return newly;
    }
    readGauges() {
        const { chain, dataDir, errors } = this.options;
        const { set } = this.counters;
        for (const [miner, count] of this.ofPeers.takeDuplicates())
            set.inc('tron:miner', [miner, 'dup'], count);
        for (const { topic, type, count } of errors?.take() ?? [])
            set.inc('tron:error_info', [topic, type], count);
        set.set('tron:manager_queue_size', chain.pool.pending.size, ['pending']);
        set.set('tron:manager_queue_size', chain.pool.repush.size, ['repush']);
        for (const type of ['popped', 'queued'])
            set.set('tron:manager_queue_size', 0, [type]);
        const { active: all = 0, dialled: active = 0, inSync: valid = 0 } = this.options.peers ?? {};
        const counts = { all, active, passive: all - active, valid };
        for (const [type, count] of Object.entries(counts))
            set.set('tron:peers', count, [type]);
        for (const name of ENVIRONMENTS) {
            set.set('tron:db_size_bytes', fileBytes(join(dataDir, name, 'data.mdb')), [ENGINE, name, LEVEL]);
            set.set('tron:db_sst_level', 1, [ENGINE, name, LEVEL]);
        }
    }
}
/** What the reference has no word for. */
function addOwnMetrics(registry, { chain, sinks, lag }) {
    const { ledger } = chain;
    gauge(registry, 'tronicle_log_seq', 'Newest entry of the log', [], (show) => show(ledger.position.seq));
    gauge(registry, 'tronicle_log_stored_seq', 'Newest entry of the log that is on the disk', [], (show) => show(ledger.storedSeq));
    gauge(registry, 'tronicle_log_begin_height', 'The log holds the blocks above this height, and genesis', [], (show) => show(ledger.beginNumber));
    gauge(registry, 'tronicle_solidified_height', 'Height of the newest irreversible block', [], (show) => show(ledger.position.solidifiedNumber));
    gauge(registry, 'tronicle_projection_lag_entries', 'Entries of the log that a projection has not stored yet', ['projection'], (show) => show(ledger.position.seq - ledger.stateSeq, 'state'));
    if (lag !== undefined)
        addReplicaMetrics(registry, lag);
    if (sinks === undefined)
        return;
    gauge(registry, 'tronicle_sink_lag_blocks', 'Irreversible blocks that a sink has not passed on yet', ['sink'], (show) => {
        for (const { name, number } of sinks.values()) {
            show(Math.max(0, ledger.position.solidifiedNumber - Math.max(0, number)), name);
        }
    });
    gauge(registry, 'tronicle_sink_records', 'Records that a sink has passed on since the start', ['sink'], (show) => {
        for (const { name, records } of sinks.values())
            show(records, name);
    });
    gauge(registry, 'tronicle_sink_state', '1 for the state that a sink is in', ['sink', 'state'], (show) => {
        for (const { name, state } of sinks.values()) {
            for (const each of SINK_STATES)
                show(each === state ? 1 : 0, name, each);
        }
    });
}
function addReplicaMetrics(registry, lag) {
    const topic = 'the topic of the log that is followed';
    gauge(registry, 'tronicle_replica_lag_records', `Records of ${topic} that are not taken yet`, [], (show) => show(lag.records));
    gauge(registry, 'tronicle_replica_lag_seconds', `Time since the newest record taken was written to ${topic}; 0 when there is no newer one`, [], (show) => show(lag.seconds));
    gauge(registry, 'tronicle_replica_connected', `1 while ${topic} can be read`, [], (show) => show(lag.isConnected ? 1 : 0));
}
function gauge(registry, name, help, labelNames, read) {
    new Gauge({
        name,
        help,
        labelNames,
        registers: [registry],
        collect() {
            read((value, ...labels) => this.labels(...labels).set(value));
        },
    });
}
function factsOf({ number, timeMs, transactions, raw }) {
    return { number, timeMs, transactions: transactions.length, miner: addressText(raw.witnessAddress) };
}
const contractNames = enumNames(TransactionContractContractType).byNumber;
function nameOf(contractType) {
    return contractNames.get(contractType) ?? 'UNRECOGNIZED';
}
/** Bytes that a file takes; 0 when there is none. */
function fileBytes(path) {
    const found = statSync(path, { throwIfNoEntry: false });
    return found === undefined ? 0 : found.blocks * 512;
}
//# sourceMappingURL=node-metrics.js.map