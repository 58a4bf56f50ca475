import { Meter, NO_RATE } from './meter.js';
import { MetricSet } from './metric-set.js';
import { NO_PEER_STATISTICS } from './peer-statistics.js';
import { nodeMetrics } from './reference-metrics.js';
/** Why a transaction was refused, in the words of `tron:txs`. Reference: MetricLabels.Counter. */
const failures = {
    TooBigTransactionException: 'big',
    TransactionExpirationException: 'expired',
    ValidateSignatureException: 'sig',
    TaposException: 'tapos',
    DupTransactionException: 'dup',
};
export const NO_STATISTICS = {
    blockProcessTime: NO_RATE,
    tps: NO_RATE,
    forkCount: 0,
    failForkCount: 0,
    ofPeers: NO_PEER_STATISTICS,
};
/** Counts what the chain does. Reference: BlockChainMetricManager, Manager, StatisticManager. */
export class ChainMetrics {
    set = new MetricSet(nodeMetrics);
    hasMeters;
    processTime;
    tps;
    forks = 0;
    failedForks = 0;
    constructor({ hasMeters, now }) {
        this.hasMeters = hasMeters;
        this.processTime = new Meter(now);
        this.tps = new Meter(now);
    }
    /** A block joined the chain. @param missed how many slots before it stayed empty, by Base58 address */
    blockApplied({ number, timeMs, transactions, miner }, missed) {
        this.set.set('tron:header_height', number);
        this.set.set('tron:header_time', timeMs);
        this.set.inc('tron:miner', [miner, 'success']);
        for (const [address, slots] of missed)
            this.set.inc('tron:miner', [address, 'miss'], slots);
        if (transactions > 0)
            this.set.inc('tron:txs', ['success', 'success'], transactions);
        if (transactions > 0 && this.hasMeters)
            this.tps.mark(transactions);
    }
    /** A block was pushed onto the head. */
    blockPushed(seconds) {
        this.set.observe('tron:block_push_latency_seconds', seconds);
        if (this.hasMeters)
            this.processTime.mark(Math.round(seconds * 1000));
    }
    blockProduced(miner, seconds, delaySeconds) {
        this.set.observe('tron:block_generate_latency_seconds', seconds, [miner]);
        this.set.observe('tron:miner_delay_seconds', delaySeconds, [miner]);
    }
    forked(hasFailed) {
        this.set.inc('tron:block_fork', [hasFailed ? 'fail' : 'all']);
        if (hasFailed)
            this.failedForks++;
        else
            this.forks++;
    }
    /** @param code exception class, without package */
    transactionRefused(code) {
        const detail = failures[code];
        if (detail !== undefined)
            this.set.inc('tron:txs', ['fail', detail]);
    }
    transactionsTimedOut(count) {
        if (count > 0)
            this.set.inc('tron:txs', ['fail', 'timeout'], count);
    }
    /** @param contract name of the contract type */
    transactionExecuted(where, contract, seconds) {
        this.set.observe('tron:process_transaction_latency_seconds', seconds, [where, contract]);
    }
    signaturesChecked(seconds) {
        this.set.observe('tron:verify_sign_latency_seconds', seconds, ['trx']);
    }
    statistics() {
        if (!this.hasMeters)
            return NO_STATISTICS;
        return {
            blockProcessTime: this.processTime.rate(),
            tps: this.tps.rate(),
            forkCount: this.forks,
            failForkCount: this.failedForks,
        };
    }
}
//# sourceMappingURL=chain-metrics.js.map