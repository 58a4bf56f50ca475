import type { PlainObject } from '../../content/json/print-plain.js';
import { present } from '../../domain/assert.js';
import { toHex } from '../../domain/bytes.js';
import { activeWitnesses } from '../../vm/consensus/schedule.js';
import type { ApiContext, ChainView } from '../api-context.js';
import type { ApiGate } from '../api-gate.js';
import type { ApiTraffic } from '../metrics/api-metrics.js';
import { NO_STATISTICS } from '../metrics/chain-metrics.js';
import type { LatencyStatistics } from '../metrics/latency-window.js';
import { NO_RATE, type Rate } from '../metrics/meter.js';
import { disconnectionCount, type PeerStatistics } from '../metrics/peer-statistics.js';

/**
 * Chain, traffic, peer and node counters; they move with `node.metricsEnable`. Reference: MetricsApiService.getMetricsInfo.
 * @param seconds since the start
 */
export function statistics(api: ApiContext, view: ChainView, seconds: number, gate: ApiGate | undefined): PlainObject {
  const { peers, waiting } = api;
  const { blockProcessTime, tps, forkCount, failForkCount, ofPeers } = gate?.chainStatistics() ?? NO_STATISTICS;
  return {
    blockchain: {
      blockProcessTime: rate(blockProcessTime),
      dupWitness: ofPeers.duplicates.map(({ address, blockNum, count }) => ({
        address,
        blockNum: BigInt(blockNum),
        count: BigInt(count),
      })),
      failForkCount: BigInt(failForkCount),
      failProcessBlockNum: BigInt(ofPeers.failed.number),
      failProcessBlockReason: ofPeers.failed.reason,
      forkCount: BigInt(forkCount),
      headBlockHash: toHex(present(view.blockIdAt(view.headNumber), 'a view has its newest block')),
      headBlockNum: BigInt(view.headNumber),
      headBlockTimestamp: view.state.properties.get('latest_block_header_timestamp'),
      missedTransaction: rate(NO_RATE),
      tps: rate(tps),
      transactionCacheSize: BigInt(waiting.count),
      witnesses: versions(view, ofPeers),
    },
    interval: BigInt(seconds),
    net: {
      api: traffic(gate?.metrics.traffic()),
      connectionCount: BigInt(peers.active),
      disconnectionCount: BigInt(disconnectionCount(ofPeers)),
      disconnectionDetail: ofPeers.disconnections.map(({ reason, count }) => ({ count: BigInt(count), reason })),
      errorProtoCount: BigInt(ofPeers.errorProtoCount),
      latency: {
        ...delays(ofPeers.latency),
        detail: ofPeers.witnessLatencies.map(({ witness, ...latency }) => ({
          count: BigInt(latency.count),
          ...delays(latency),
          ...percentiles(latency),
          witness,
        })),
        ...percentiles(ofPeers.latency),
        totalCount: BigInt(ofPeers.latency.count),
      },
      tcpInTraffic: rate(ofPeers.tcpIn),
      tcpOutTraffic: rate(ofPeers.tcpOut),
      udpInTraffic: rate(ofPeers.udpIn),
      udpOutTraffic: rate(ofPeers.udpOut),
      validConnectionCount: BigInt(peers.inSync),
    },
    node: {
      backupStatus: 1n,
      ip: gate?.node.ip ?? '127.0.0.1',
      nodeType: isActiveWitness(view, gate?.node.witness) ? 1n : 0n,
      version: api.settings.release.name,
    },
  };
}

function traffic(counted: ApiTraffic | undefined): PlainObject {
  const { detail = [], failQps = NO_RATE, outTraffic = NO_RATE, qps = NO_RATE } = counted ?? {};
  return {
    detail: detail.map((endpoint) => ({
      ...(endpoint.failQps === undefined ? {} : { failQps: rate(endpoint.failQps) }),
      name: endpoint.name,
      ...(endpoint.outTraffic === undefined ? {} : { outTraffic: rate(endpoint.outTraffic) }),
      qps: rate(endpoint.qps),
    })),
    failQps: rate(failQps),
    outTraffic: rate(outTraffic),
    qps: rate(qps),
  };
}

/** Of the witnesses that produce now, those whose blocks came from peers. */
function versions({ state }: ChainView, { versions: known }: PeerStatistics): PlainObject[] {
  const byAddress = new Map(known.map(({ address, version }) => [address, version]));
  return activeWitnesses(state).flatMap((address) => {
    const version = byAddress.get(address);
    return version === undefined ? [] : [{ address, version: BigInt(version) }];
  });
}

function delays({ delay1S, delay2S, delay3S }: LatencyStatistics): PlainObject {
  return { delay1S: BigInt(delay1S), delay2S: BigInt(delay2S), delay3S: BigInt(delay3S) };
}

function percentiles({ top75, top95, top99 }: LatencyStatistics): PlainObject {
  return { top75: BigInt(top75), top95: BigInt(top95), top99: BigInt(top99) };
}

/** Members in alphabetical order. */
function rate({ count, meanRate, oneMinuteRate, fiveMinuteRate, fifteenMinuteRate }: Rate): PlainObject {
  return { count, fifteenMinuteRate, fiveMinuteRate, meanRate, oneMinuteRate };
}

/** @param address 42 hex digits */
function isActiveWitness({ state }: ChainView, address: string | undefined): boolean {
  return address !== undefined && activeWitnesses(state).some((witness) => witness === address.toLowerCase());
}
