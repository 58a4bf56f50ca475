import type { PlainObject } from '../../encoding/json/print-plain.js';
import { present } from '../../primitives/assert.js';
import { toHex } from '../../primitives/bytes.js';
import { activeWitnesses } from '../../state-transition/consensus/schedule.js';
import type { ApiContext, ChainView } from '../context/api-context.js';
import type { ApiTraffic } from '../metrics/api-metrics.js';
import { NO_STATISTICS } from '../metrics/chain-metrics.js';
import type { LatencyStatistics } from '../metrics/latency-window.js';
import { NO_RATE, type Rate } from '../metrics/meter.js';
import { disconnectionCount, type PeerStatistics } from '../metrics/peer-statistics.js';
import type { ApiMiddleware } from '../middleware/api-middleware.js';

/**
 * Returns counters of the chain, the traffic, the peers and the node, under java-tron's field names. Without
 * `node.metricsEnable`, the counters stay at 0. Reference: MetricsApiService.getMetricsInfo.
 * @param seconds time since the start of the node
 */
export function statistics(
  api: ApiContext,
  view: ChainView,
  seconds: number,
  gate: ApiMiddleware | undefined,
): PlainObject {
  const { peers, pending } = api;
  const { blockProcessTime, tps, forkCount, failForkCount, ofPeers, isMaster } =
    gate?.chainStatistics() ?? NO_STATISTICS;
  return {
    interval: BigInt(seconds),
    node: {
      ip: gate?.node.ip ?? '127.0.0.1',
      nodeType: isActiveWitness(view, gate?.node.witness) ? 1n : 0n,
      version: api.settings.release.name,
      backupStatus: isMaster ? 1n : 0n,
    },
    blockchain: {
      headBlockNum: BigInt(view.headNumber),
      headBlockTimestamp: view.state.properties.get('latest_block_header_timestamp'),
      headBlockHash: toHex(present(view.blockIdAt(view.headNumber), 'a view has its newest block')),
      forkCount: BigInt(forkCount),
      failForkCount: BigInt(failForkCount),
      blockProcessTime: rate(blockProcessTime),
      tps: rate(tps),
      transactionCacheSize: BigInt(pending.count),
      missedTransaction: rate(NO_RATE),
      witnesses: versions(view, ofPeers),
      failProcessBlockNum: BigInt(ofPeers.failed.number),
      failProcessBlockReason: ofPeers.failed.reason,
      dupWitness: ofPeers.duplicates.map(({ address, blockNum, count }) => ({
        address,
        blockNum: BigInt(blockNum),
        count: BigInt(count),
      })),
    },
    net: {
      errorProtoCount: BigInt(ofPeers.errorProtoCount),
      api: traffic(gate?.traffic()),
      connectionCount: BigInt(peers.active),
      validConnectionCount: BigInt(peers.inSync),
      tcpInTraffic: rate(ofPeers.tcpIn),
      tcpOutTraffic: rate(ofPeers.tcpOut),
      disconnectionCount: BigInt(disconnectionCount(ofPeers)),
      disconnectionDetail: ofPeers.disconnections.map(({ reason, count }) => ({ reason, count: BigInt(count) })),
      udpInTraffic: rate(ofPeers.udpIn),
      udpOutTraffic: rate(ofPeers.udpOut),
      latency: {
        ...percentiles(ofPeers.latency),
        totalCount: BigInt(ofPeers.latency.count),
        ...delays(ofPeers.latency),
        detail: ofPeers.witnessLatencies.map(({ witness, ...latency }) => ({
          witness,
          ...percentiles(latency),
          count: BigInt(latency.count),
          ...delays(latency),
        })),
      },
    },
  };
}

function traffic(counted: ApiTraffic | undefined): PlainObject {
  const { detail = [], failQps = NO_RATE, outTraffic = NO_RATE, qps = NO_RATE } = counted ?? {};
  return {
    qps: rate(qps),
    failQps: rate(failQps),
    outTraffic: rate(outTraffic),
    detail: detail.map((endpoint) => ({
      name: endpoint.name,
      qps: rate(endpoint.qps),
      ...(endpoint.failQps === undefined ? {} : { failQps: rate(endpoint.failQps) }),
      ...(endpoint.outTraffic === undefined ? {} : { outTraffic: rate(endpoint.outTraffic) }),
    })),
  };
}

/** Returns the block versions of the active witnesses. Omits a witness if no peer has sent a block of this witness. */
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
  return { top99: BigInt(top99), top95: BigInt(top95), top75: BigInt(top75) };
}

function rate({ count, meanRate, oneMinuteRate, fiveMinuteRate, fifteenMinuteRate }: Rate): PlainObject {
  return { meanRate, oneMinuteRate, fiveMinuteRate, fifteenMinuteRate, count };
}

/** Returns true if the address is that of an active witness. @param address 42 hex digits */
function isActiveWitness({ state }: ChainView, address: string | undefined): boolean {
  return address !== undefined && activeWitnesses(state).some((witness) => witness === address.toLowerCase());
}
