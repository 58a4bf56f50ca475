import { toHex } from '../../log/domain/bytes.js';
import { activeWitnesses } from '../../vm/consensus/schedule.js';
import type { ApiContext, ChainView } from '../api-context.js';
import type { ApiGate } from '../api-gate.js';
import type { ApiTraffic } from '../metrics/api-metrics.js';
import { NO_STATISTICS } from '../metrics/chain-metrics.js';
import { NO_RATE, type Rate } from '../metrics/meter.js';
import type { PlainObject } from './node-info.js';

/**
 * Chain, traffic and node counters; they move with `node.metricsEnable`. What this node has no source for is 0: peers, and
 * blocks that came from them. Reference: MetricsApiService.getMetricsInfo.
 * @param seconds since the start
 */
export function statistics(api: ApiContext, view: ChainView, seconds: number, gate: ApiGate | undefined): PlainObject {
  const { peers, waiting } = api;
  const { blockProcessTime, tps, forkCount, failForkCount } = gate?.chainStatistics() ?? NO_STATISTICS;
  return {
    blockchain: {
      blockProcessTime: rate(blockProcessTime),
      dupWitness: [],
      failForkCount: BigInt(failForkCount),
      failProcessBlockNum: 0n,
      failProcessBlockReason: '',
      forkCount: BigInt(forkCount),
      headBlockHash: toHex(view.blockIdAt(view.headNumber)!),
      headBlockNum: BigInt(view.headNumber),
      headBlockTimestamp: view.state.properties.get('latest_block_header_timestamp'),
      missedTransaction: rate(NO_RATE),
      tps: rate(tps),
      transactionCacheSize: BigInt(waiting.count),
      witnesses: [],
    },
    interval: BigInt(seconds),
    net: {
      api: traffic(gate?.metrics.traffic()),
      connectionCount: BigInt(peers.active),
      disconnectionCount: 0n,
      disconnectionDetail: [],
      errorProtoCount: 0n,
      latency: {
        delay1S: 0n,
        delay2S: 0n,
        delay3S: 0n,
        detail: [],
        top75: 0n,
        top95: 0n,
        top99: 0n,
        totalCount: 0n,
      },
      tcpInTraffic: rate(NO_RATE),
      tcpOutTraffic: rate(NO_RATE),
      udpInTraffic: rate(NO_RATE),
      udpOutTraffic: rate(NO_RATE),
      validConnectionCount: BigInt(peers.inSync),
    },
    node: {
      backupStatus: 1n,
      ip: gate?.node.ip ?? '127.0.0.1',
      nodeType: isActiveWitness(view, gate?.node.witness) ? 1n : 0n,
      version: '4.7.2',
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

/** Members in alphabetical order. */
function rate({ count, meanRate, oneMinuteRate, fiveMinuteRate, fifteenMinuteRate }: Rate): PlainObject {
  return { count, fifteenMinuteRate, fiveMinuteRate, meanRate, oneMinuteRate };
}

/** @param address 42 hex digits */
function isActiveWitness({ state }: ChainView, address: string | undefined): boolean {
  return address !== undefined && activeWitnesses(state).some((witness) => witness === address.toLowerCase());
}
