import type { MetricRow } from './metric-set.js';

type Row = readonly [name: string, kind: MetricRow['kind'], labels: readonly string[], help: string];

/**
 * java-tron metrics that the main thread counts. Reference: MetricsCounter, MetricsGauge, MetricsHistogram,
 * InstrumentedAppender.
 *
 * A metric that this node cannot measure is in the list, but has no samples, because an invented value would mislead.
 * These are the metrics of the block lock (this node has one main thread), of the filter of known transaction ids, and
 * of the Guava caches. The values of the label `topic` of `error_info` are the parts of this node: api, sink,
 * projection, node.
 */
const nodeRows = [
  ['tron:txs', 'counter', ['type', 'detail'], 'tron  txs  info .'],
  ['tron:miner', 'counter', ['miner', 'type'], 'tron  miner info .'],
  ['tron:block_fork', 'counter', ['type'], 'tron  block fork info .'],
  ['tron:error_info', 'counter', ['topic', 'type'], 'tron log statements at error type levels'],
  ['tron:header_height', 'gauge', [], 'header  height .'],
  ['tron:header_time', 'gauge', [], 'header time .'],
  ['tron:peers', 'gauge', ['type'], 'tron peers.size .'],
  ['tron:db_size_bytes', 'gauge', ['type', 'db', 'level'], 'tron  db  size .'],
  ['tron:db_sst_level', 'gauge', ['type', 'db', 'level'], 'tron  db  files .'],
  ['tron:manager_queue_size', 'gauge', ['type'], 'tron  manager.queue.size .'],
  ['tron:tx_cache', 'gauge', ['type'], 'tron tx cache info.'],
  ['tron:verify_sign_latency_seconds', 'histogram', ['type'], 'verify sign latency for trx , block.'],
  ['tron:lock_acquire_latency_seconds', 'histogram', ['type'], 'lock acquire latency.'],
  ['tron:block_push_latency_seconds', 'histogram', [], 'push block latency for Manager.'],
  ['tron:block_generate_latency_seconds', 'histogram', ['address'], 'generate block latency.'],
  ['tron:process_transaction_latency_seconds', 'histogram', ['type', 'contract'], 'process transaction latency.'],
  ['tron:miner_delay_seconds', 'histogram', ['miner'], 'miner delay time, actualTime - planTime.'],
  ['tron:guava_cache_hit_rate', 'gauge', ['type'], 'Hit rate of a guava cache.'],
  ['tron:guava_cache_request', 'gauge', ['type'], 'Request of a guava cache.'],
  ['tron:guava_cache_eviction_count', 'gauge', ['type'], 'Eviction count of a guava cache.'],
] as const satisfies readonly Row[];

/** Metrics that release 4.8.2 added. */
const laterRows = [
  ['tron:sr_set_change', 'counter', ['action', 'witness'], 'tron sr set change .'],
  ['tron:block_transaction_count', 'histogram', ['miner'], 'Distribution of transaction counts per block.'],
] as const satisfies readonly Row[];

const COUNTS = [0, 20, 50, 80, 100, 120, 140, 160, 180, 200, 230, 260, 300, 500, 2000, 5000, 10000];

/** java-tron metrics that the peer layer counts. `ping_pong_latency` has no series in java-tron either. */
const peerRows = [
  ['tron:p2p_error', 'counter', ['type'], 'tron p2p error  info .'],
  ['tron:p2p_disconnect', 'counter', ['type'], 'tron p2p disconnect .'],
  ['tron:miner_latency_seconds', 'histogram', ['miner'], 'miner latency.'],
  ['tron:ping_pong_latency_seconds', 'histogram', [], 'node  ping pong  latency.'],
  ['tron:block_process_latency_seconds', 'histogram', ['sync'], 'process block latency for TronNetDelegate.'],
  ['tron:udp_bytes', 'histogram', ['type'], 'udp_bytes traffic.'],
  ['tron:tcp_bytes', 'histogram', ['type'], 'tcp_bytes traffic.'],
  ['tron:message_process_latency_seconds', 'histogram', ['type'], 'process message latency.'],
  ['tron:block_fetch_latency_seconds', 'histogram', [], 'fetch block latency.'],
  ['tron:block_receive_delay_seconds', 'histogram', [], 'receive block delay time, receiveTime - blockTime.'],
] as const satisfies readonly Row[];

/**
 * java-tron metrics that the API thread counts. `internal_service` is not measured: it is about methods of java-tron's
 * class Wallet, which does not exist in this program. The latencies by path, endpoint and method include the same
 * calls.
 */
const apiRows = [
  ['tron:internal_service_fail', 'counter', ['class', 'method'], 'internal Service fail.'],
  ['tron:http_service_latency_seconds', 'histogram', ['url'], 'Http Service latency.'],
  ['tron:grpc_service_latency_seconds', 'histogram', ['endpoint'], 'Grpc Service latency.'],
  ['tron:jsonrpc_service_latency_seconds', 'histogram', ['method'], 'JsonRpc Service latency.'],
  ['tron:http_bytes', 'histogram', ['url', 'status'], 'http_bytes traffic.'],
  ['tron:internal_service_latency_seconds', 'histogram', ['class', 'method'], 'Internal Service latency.'],
] as const satisfies readonly Row[];

export type NodeMetricName = (typeof nodeRows | typeof laterRows)[number][0];
export type PeerMetricName = (typeof peerRows)[number][0];
export type ApiMetricName = (typeof apiRows)[number][0];

export const nodeMetrics = nodeRows.map(toRow);
export const laterNodeMetrics = laterRows
  .map(toRow)
  .map((row) => (row.kind === 'histogram' ? { ...row, buckets: COUNTS } : row));
export const peerMetrics = peerRows.map(toRow);
export const apiMetrics = apiRows.map(toRow);

function toRow<Name extends string>([name, kind, labels, help]: readonly [
  name: Name,
  kind: MetricRow['kind'],
  labels: readonly string[],
  help: string,
]): MetricRow & { readonly name: Name } {
  return { name, kind, labels, help };
}
