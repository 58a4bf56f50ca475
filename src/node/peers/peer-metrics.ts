import { LatencyWindow } from '../../api/metrics/latency-window.js';
import { Meter } from '../../api/metrics/meter.js';
import { MetricSet } from '../../api/metrics/metric-set.js';
import { NO_PEER_STATISTICS, type PeerStatistics } from '../../api/metrics/peer-statistics.js';
import { type PeerMetricName, peerMetrics } from '../../api/metrics/reference-metrics.js';
import { addressText } from '../../encoding/address-text.js';
import type { RejectReason } from '../../p2p/p2p-error.js';
import type { PeerObserver, TrafficKind } from '../../p2p/peer-observer.js';
import type { PeerRelease } from '../../p2p/releases/peer-release.js';
import { peerRelease } from '../../p2p/releases/releases.js';
import type { MessageName } from '../../p2p/wire/message-types.js';
import type { Reason } from '../../p2p/wire/messages.js';
import { toHex } from '../../primitives/bytes.js';
import type { DecodedBlock } from '../../state-transition/block/decoded-block.js';

interface PeerMetricsOptions {
  /** True if `node.metricsEnable` is set. If false, the meters count nothing. */
  readonly hasMeters: boolean;
  /** Release whose metrics are counted. Default: 4.7.2. */
  readonly release?: Pick<PeerRelease, 'countsAllTraffic' | 'refusalNames'>;
  /** Returns ms since 1970. */
  readonly now: () => number;
}

/**
 * Minimum processing time in ms from which a message is recorded in the histogram. Reference:
 * P2pEventHandlerImpl.processMessage.
 */
const SLOW_MS = 50;
/**
 * Maximum number of witnesses with separate counts. The limit is needed because blocks are counted before their
 * signature is verified, and a peer can send any witness address.
 */
const WITNESSES_MAX = 1000;

interface WitnessFacts {
  readonly address: string;
  idHex: string;
  timeMs: number;
  version: number;
  duplicates: number;
  duplicateNum: number;
  readonly latency: LatencyWindow;
}

/**
 * Counts messages, blocks, errors and traffic of the peers.
 * Reference: TronStatsManager, NetMetricManager, BlockChainMetricManager.applyBlock.
 */
export class PeerMetrics implements PeerObserver {
  readonly set = new MetricSet<PeerMetricName>(peerMetrics);
  private readonly hasMeters: boolean;
  private readonly release: Pick<PeerRelease, 'countsAllTraffic' | 'refusalNames'>;
  private readonly now: () => number;
  private readonly traffic: Record<TrafficKind, number> = { tcpIn: 0, tcpOut: 0, udpIn: 0, udpOut: 0 };
  private readonly meters: Readonly<Record<TrafficKind, Meter>>;
  private readonly reasons = new Map<Reason, number>();
  private readonly witnesses = new Map<string, WitnessFacts>();
  private readonly latency = new LatencyWindow();
  private unreadable = 0;
  private failed = NO_PEER_STATISTICS.failed;
  /**
   * Number of additional blocks per witness, since the last call of `takeDuplicates`. A block is additional if its
   * witness already produced a block for the slot. Keys are Base58 addresses.
   */
  private duplicates = new Map<string, number>();

  constructor({ hasMeters, release = peerRelease('4.7.2'), now }: PeerMetricsOptions) {
    this.hasMeters = hasMeters;
    this.release = release;
    this.now = now;
    const monotonic = (): number => performance.now();
    const meter = (): Meter => new Meter(monotonic);
    this.meters = { tcpIn: meter(), tcpOut: meter(), udpIn: meter(), udpOut: meter() };
  }

  bytes(kind: TrafficKind, count: number): void {
    this.traffic[kind] += count;
  }

  /** Records the traffic since the previous call, and resets it. Must be called every second. */
  second(): void {
    const { tcpIn, tcpOut, udpIn, udpOut } = this.traffic;
    const { countsAllTraffic } = this.release;
    this.set.observe('tron:tcp_bytes', tcpIn, ['in']);
    if (countsAllTraffic) this.set.observe('tron:tcp_bytes', tcpOut, ['out']);
    this.set.observe('tron:udp_bytes', udpIn, ['in']);
    this.set.observe('tron:udp_bytes', udpOut, ['out']);
    if (this.hasMeters) {
      this.meters.tcpIn.mark(tcpIn);
      this.meters.tcpOut.mark(tcpOut);
      if (countsAllTraffic) this.meters.udpIn.mark(udpIn);
      this.meters.udpOut.mark(udpOut);
    }
    Object.assign(this.traffic, { tcpIn: 0, tcpOut: 0, udpIn: 0, udpOut: 0 });
  }

  disconnected(reason: Reason): void {
    this.set.inc('tron:p2p_disconnect', [reason.toLowerCase()]);
    if (this.hasMeters) this.reasons.set(reason, (this.reasons.get(reason) ?? 0) + 1);
  }

  refused(refusal: RejectReason, isUnreadable: boolean): void {
    this.set.inc('tron:p2p_error', [(this.release.refusalNames[refusal] ?? refusal).toLowerCase()]);
    if (isUnreadable && this.hasMeters) this.unreadable++;
  }

  handled(type: MessageName, ms: number): void {
    if (ms > SLOW_MS) this.set.observe('tron:message_process_latency_seconds', ms / 1000, [type]);
  }

  blockReceived(delayMs: number, fetchMs: number | undefined): void {
    if (fetchMs !== undefined) this.set.observe('tron:block_fetch_latency_seconds', fetchMs / 1000);
    this.set.observe('tron:block_receive_delay_seconds', delayMs / 1000);
  }

  blockArrives({ idHex, number, timeMs, raw }: DecodedBlock): void {
    const latencyMs = this.now() - timeMs;
    const miner = addressText(raw.witnessAddress);
    this.set.observe('tron:miner_latency_seconds', latencyMs / 1000, [miner]);
    const address = toHex(raw.witnessAddress);
    const known = this.witnesses.get(address);
    if (known === undefined && this.witnesses.size >= WITNESSES_MAX) return;
    const facts = known ?? factsOf(address);
    this.witnesses.set(address, facts);
    if (facts.timeMs === timeMs && facts.idHex !== idHex) {
      this.duplicates.set(miner, (this.duplicates.get(miner) ?? 0) + 1);
      if (this.hasMeters) facts.duplicates++;
      facts.duplicateNum = number;
    }
    Object.assign(facts, { idHex, timeMs, version: raw.version });
    if (!this.hasMeters) return;
    this.latency.add(latencyMs);
    facts.latency.add(latencyMs);
  }

  blockAccepted(seconds: number, isSynced: boolean): void {
    this.set.observe('tron:block_process_latency_seconds', seconds, [String(isSynced)]);
  }

  blockFailed(number: number, reason: string): void {
    this.failed = { number, reason };
  }

  /** Returns and resets the number of additional blocks that witnesses produced for a slot, by Base58 address. */
  takeDuplicates(): ReadonlyMap<string, number> {
    const { duplicates } = this;
    this.duplicates = new Map();
    return duplicates;
  }

  statistics(): PeerStatistics {
    const { meters, reasons, latency, unreadable, failed } = this;
    const witnesses = [...this.witnesses.values()].sort((a, b) => (a.address < b.address ? -1 : 1));
    return {
      tcpIn: meters.tcpIn.rate(),
      tcpOut: meters.tcpOut.rate(),
      udpIn: meters.udpIn.rate(),
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

function factsOf(address: string): WitnessFacts {
  const latency = new LatencyWindow();
  return { address, idHex: '', timeMs: -1, version: 0, duplicates: 0, duplicateNum: 0, latency };
}
