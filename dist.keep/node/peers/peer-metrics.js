import { LatencyWindow } from '../../api/metrics/latency-window.js';
import { Meter } from '../../api/metrics/meter.js';
import { MetricSet } from '../../api/metrics/metric-set.js';
import { NO_PEER_STATISTICS } from '../../api/metrics/peer-statistics.js';
import { peerMetrics } from '../../api/metrics/reference-metrics.js';
import { addressText } from '../../api/streams/triggers/address-text.js';
import { toHex } from '../../log/domain/bytes.js';
/** Work on a message is told from this many ms on. Reference: P2pEventHandlerImpl.processMessage. */
const SLOW_MS = 50;
/** Witnesses that are told apart: whoever signs a block that is not checked yet can claim any address. */
const WITNESSES_MAX = 1000;
/** Counts what happens between peers. Reference: TronStatsManager, NetMetricManager, BlockChainMetricManager.applyBlock. */
export class PeerMetrics {
    set = new MetricSet(peerMetrics);
    hasMeters;
    now;
    traffic = { tcpIn: 0, tcpOut: 0, udpIn: 0, udpOut: 0 };
    meters;
    reasons = new Map();
    witnesses = new Map();
    latency = new LatencyWindow();
    unreadable = 0;
    failed = NO_PEER_STATISTICS.failed;
    /** Second blocks of a slot since the last question, by Base58 address. */
    duplicates = new Map();
    constructor({ hasMeters, now }) {
        this.hasMeters = hasMeters;
        this.now = now;
        const monotonic = () => performance.now();
        this.meters = { tcpIn: new Meter(monotonic), tcpOut: new Meter(monotonic), udpOut: new Meter(monotonic) };
    }
    bytes(kind, count) {
        this.traffic[kind] += count;
    }
    /** To be called each second: traffic is told by its sum. The reference never tells what went out by TCP. */
    second() {
        const { tcpIn, tcpOut, udpIn, udpOut } = this.traffic;
        this.set.observe('tron:tcp_bytes', tcpIn, ['in']);
        this.set.observe('tron:udp_bytes', udpIn, ['in']);
        this.set.observe('tron:udp_bytes', udpOut, ['out']);
        if (this.hasMeters) {
            this.meters.tcpIn.mark(tcpIn);
            this.meters.tcpOut.mark(tcpOut);
            this.meters.udpOut.mark(udpOut);
        }
        Object.assign(this.traffic, { tcpIn: 0, tcpOut: 0, udpIn: 0, udpOut: 0 });
    }
    disconnected(reason) {
        this.set.inc('tron:p2p_disconnect', [reason.toLowerCase()]);
        if (this.hasMeters)
            this.reasons.set(reason, (this.reasons.get(reason) ?? 0) + 1);
    }
    refused(refusal, isUnreadable) {
        this.set.inc('tron:p2p_error', [refusal.toLowerCase()]);
        if (isUnreadable && this.hasMeters)
            this.unreadable++;
    }
    handled(type, ms) {
        if (ms > SLOW_MS)
            this.set.observe('tron:message_process_latency_seconds', ms / 1000, [type]);
    }
    blockCame(delayMs, fetchMs) {
        if (fetchMs !== undefined)
            this.set.observe('tron:block_fetch_latency_seconds', fetchMs / 1000);
        this.set.observe('tron:block_receive_delay_seconds', delayMs / 1000);
    }
    blockArrives({ idHex, number, timeMs, raw }) {
        const latencyMs = this.now() - timeMs;
        const miner = addressText(raw.witnessAddress);
        this.set.observe('tron:miner_latency_seconds', latencyMs / 1000, [miner]);
        const address = toHex(raw.witnessAddress);
        const known = this.witnesses.get(address);
        if (known === undefined && this.witnesses.size >= WITNESSES_MAX)
            return;
        const facts = known ?? factsOf(address);
        this.witnesses.set(address, facts);
        if (facts.timeMs === timeMs && facts.idHex !== idHex) {
            this.duplicates.set(miner, (this.duplicates.get(miner) ?? 0) + 1);
            if (this.hasMeters)
                facts.duplicates++;
            facts.duplicateNum = number;
        }
        Object.assign(facts, { idHex, timeMs, version: raw.version });
        if (!this.hasMeters)
            return;
        this.latency.add(latencyMs);
        facts.latency.add(latencyMs);
    }
    blockTaken(seconds, isSynced) {
        this.set.observe('tron:block_process_latency_seconds', seconds, [String(isSynced)]);
    }
    blockFailed(number, reason) {
        this.failed = { number, reason };
    }
    /** How many second blocks for a slot came since the last question, by Base58 address. */
    takeDuplicates() {
        const { duplicates } = this;
        this.duplicates = new Map();
        return duplicates;
    }
    statistics() {
        const { meters, reasons, latency, unreadable, failed } = this;
        const witnesses = [...this.witnesses.values()].sort((a, b) => (a.address < b.address ? -1 : 1));
        return {
            tcpIn: meters.tcpIn.rate(),
            tcpOut: meters.tcpOut.rate(),
            udpOut: meters.udpOut.rate(),
            errorProtoCount: unreadable,
            disconnections: [...reasons].sort(([a], [b]) => (a < b ? -1 : 1)).map(([reason, count]) => ({ reason, count })),
            latency: latency.statistics(),
            witnessLatencies: this.hasMeters
                ? witnesses.map((facts) => ({ witness: facts.address, ...facts.latency.statistics() }))
                : [],
            versions: witnesses.map(({ address, version }) => ({ address, version })),
            duplicates: witnesses
                .filter(({ duplicates }) => duplicates > 0)
                .map(({ address, duplicateNum: blockNum, duplicates: count }) => ({ address, blockNum, count })),
            failed,
        };
    }
}
function factsOf(address) {
    const latency = new LatencyWindow();
    return { address, idHex: '', timeMs: -1, version: 0, duplicates: 0, duplicateNum: 0, latency };
}
//# sourceMappingURL=peer-metrics.js.map