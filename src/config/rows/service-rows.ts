import { availableParallelism } from 'node:os';
import { UsageError } from '../../primitives/errors.js';
import { asBoolean, asInt64, asTexts, type HoconValue } from '../hocon/hocon-value.js';
import { bool, type ConfigKey, int, long, optionalText, type RowTree, row, textKey, texts, toSafe } from '../row.js';

const CPUS = availableParallelism();
const HALF_CPUS = Math.floor((CPUS + 1) / 2);
const ALL = { shown: 'number of CPUs' };
const HALF = { shown: '(number of CPUs + 1) / 2' };

/** Section `node`: interfaces, pending pool, metrics. Ports in TCP, times in the unit that the row names. */
export const serviceRows = {
  trustNode: optionalText('node.trustNode', 'upstream gRPC address of a stand-alone solidity node'),
  walletExtensionApi: bool(
    'node.walletExtensionApi',
    false,
    'register WalletExtension service on the stand-alone solidity node',
  ),
  rpc: {
    enable: bool('node.rpc.enable', true, 'start the gRPC server; from release 4.7.4 on, before it always starts'),
    port: int('node.rpc.port', 50051, 'gRPC port'),
    solidityEnable: bool('node.rpc.solidityEnable', true, 'the same on solidified state'),
    solidityPort: int('node.rpc.solidityPort', 50061, 'gRPC port on solidified state'),
    pbftEnable: bool('node.rpc.PBFTEnable', true, 'the same on PBFT state'),
    pbftPort: int('node.rpc.PBFTPort', 50071, 'gRPC port on PBFT state'),
    thread: int(
      'node.rpc.thread',
      HALF_CPUS,
      'threads of the reference that answer gRPC; no effect: here one thread does, and costly calls go to `tronicle.threads.pool`',
      HALF,
    ),
    maxConcurrentCallsPerConnection: int('node.rpc.maxConcurrentCallsPerConnection', 2147483647, 'gRPC'),
    flowControlWindow: int('node.rpc.flowControlWindow', 1048576, 'gRPC (bytes)'),
    maxConnectionIdleInMillis: long('node.rpc.maxConnectionIdleInMillis', Number.MAX_SAFE_INTEGER, 'gRPC'),
    maxConnectionAgeInMillis: long('node.rpc.maxConnectionAgeInMillis', Number.MAX_SAFE_INTEGER, 'gRPC'),
    reflectionService: bool('node.rpc.reflectionService', false, 'gRPC server reflection, from release 4.7.4 on'),
    maxMessageSize: int('node.rpc.maxMessageSize', 4194304, 'gRPC inbound limit AND the HTTP body limit (bytes)'),
    maxHeaderListSize: int('node.rpc.maxHeaderListSize', 8192, 'gRPC (bytes)'),
    maxRstStream: int(
      'node.rpc.maxRstStream',
      0,
      'gRPC: calls that a connection may reset within node.rpc.secondsPerWindow before it is ended, where both are above 0; from release 4.7.5 on',
    ),
    secondsPerWindow: int('node.rpc.secondsPerWindow', 0, 'see node.rpc.maxRstStream (s)'),
    minEffectiveConnection: int(
      'node.rpc.minEffectiveConnection',
      1,
      'peers in sync needed to broadcast; 0 removes all connection checks',
    ),
    trxCacheEnable: bool(
      'node.rpc.trxCacheEnable',
      false,
      'reject a second broadcast of the same id with "Transaction already exists."',
    ),
  },
  http: {
    maxMessageSize: messageSize('node.http.maxMessageSize', 'largest HTTP body (bytes)', '4194304'),
    fullNodePort: int('node.http.fullNodePort', 8090, 'HTTP port'),
    solidityPort: int('node.http.solidityPort', 8091, 'HTTP port on solidified state'),
    pbftPort: int('node.http.PBFTPort', 8092, 'HTTP port on PBFT state'),
    fullNodeEnable: bool('node.http.fullNodeEnable', true, 'start the full-node HTTP server'),
    solidityEnable: bool('node.http.solidityEnable', true, 'start the solidity HTTP server'),
    pbftEnable: bool(
      'node.http.PBFTEnable',
      true,
      'start the PBFT HTTP server; from release 4.8.0 on, before it always starts',
    ),
  },
  jsonrpc: {
    httpFullNodeEnable: bool('node.jsonrpc.httpFullNodeEnable', false, 'JSON-RPC on head state'),
    httpFullNodePort: int('node.jsonrpc.httpFullNodePort', 8545, 'port'),
    httpSolidityEnable: bool('node.jsonrpc.httpSolidityEnable', false, 'JSON-RPC on solidified state'),
    httpSolidityPort: int('node.jsonrpc.httpSolidityPort', 8555, 'port'),
    httpPBFTEnable: bool('node.jsonrpc.httpPBFTEnable', false, 'JSON-RPC on PBFT state'),
    httpPBFTPort: int('node.jsonrpc.httpPBFTPort', 8565, 'port'),
    maxMessageSize: messageSize('node.jsonrpc.maxMessageSize', 'largest JSON-RPC body (bytes)', '4194304'),
    maxBlockRange: rpcLimit('maxBlockRange', 'blocks between the ends of a query for logs', '5000'),
    maxSubTopics: rpcLimit('maxSubTopics', 'topics at one place of a filter', '1000'),
    maxAddressSize: rpcLimit('maxAddressSize', 'addresses of a filter', '1000'),
    maxLogFilterNum: rpcLimit('maxLogFilterNum', 'filters on logs of one port', '20000'),
    maxBlockFilterNum: rpcLimit('maxBlockFilterNum', 'filters on blocks of one port', '50000'),
    maxBatchSize: rpcLimit('maxBatchSize', 'calls in one request', '100'),
    maxResponseSize: rpcLimit('maxResponseSize', 'bytes of an answer', '26214400'),
  },
  disabledApi: disabledApi(),
  maxHttpConnectNumber: int(
    'node.maxHttpConnectNumber',
    50,
    'max concurrent connections per HTTP/JSON-RPC server; <= 0 removes the limit',
  ),
  openHistoryQueryWhenLiteFN: bool(
    'node.openHistoryQueryWhenLiteFN',
    false,
    'keep history APIs open on a lite full node',
  ),
  solidity: {
    threads: int('node.solidity.threads', CPUS, 'read, without effect', ALL),
  },
  validateSignThreadNum: int('node.validateSignThreadNum', HALF_CPUS, 'signature checking threads', HALF),
  validContractProto: {
    threads: int('node.validContractProto.threads', CPUS, 'protobuf checking threads', ALL),
  },
  blockProducedTimeOut: int('node.blockProducedTimeOut', 50, 'share of the 3 s slot used for packing (%)', {
    min: 30,
    max: 100,
  }),
  maxTransactionPendingSize: int(
    'node.maxTransactionPendingSize',
    2000,
    'pending + repush limit; beyond -> SERVER_BUSY',
  ),
  pendingTransactionTimeout: long(
    'node.pendingTransactionTimeout',
    60000,
    'age at which pending transactions are dropped (ms)',
  ),
  shieldedTransInPendingMaxCounts: int(
    'node.shieldedTransInPendingMaxCounts',
    10,
    'shielded transactions kept in pending',
  ),
  fullNodeAllowShieldedTransaction: shielded(),
  allowShieldedTransactionApi: shieldedApi(),
  zenTokenId: textKey('node.zenTokenId', '000000', 'TRC10 id of the shielded token'),
  agreeNodeCount: int('node.agreeNodeCount', 19, 'PBFT quorum (27 * 2 / 3 + 1)', { max: 27 }),
  openPrintLog: bool('node.openPrintLog', true, 'verbose pending / broadcast logs'),
  openTransactionSort: bool('node.openTransactionSort', false, 'order pending transactions by account power / fee'),
  blockCacheTimeout: long('node.blockCacheTimeout', 60, 'block caches of the sync and broadcast services (s)'),
  metricsEnable: bool(
    'node.metricsEnable',
    false,
    'internal meters (getstatsinfo values) and the gRPC Monitor service',
  ),
  metrics: {
    storageEnable: bool(
      'node.metrics.storageEnable',
      false,
      'push meters to InfluxDB 1.x over HTTP (also needs node.metricsEnable)',
    ),
    influxdb: {
      ip: textKey('node.metrics.influxdb.ip', '127.0.0.1', 'InfluxDB'),
      port: int('node.metrics.influxdb.port', 8086, 'InfluxDB'),
      database: textKey('node.metrics.influxdb.database', 'metrics', 'InfluxDB'),
      metricsReportInterval: int('node.metrics.influxdb.metricsReportInterval', 10, 'InfluxDB (s)'),
    },
    prometheus: {
      enable: bool('node.metrics.prometheus.enable', false, 'Prometheus exporter'),
      port: int('node.metrics.prometheus.port', 9527, 'Prometheus exporter port'),
    },
  },
  dynamicConfig: {
    enable: bool(
      'node.dynamicConfig.enable',
      false,
      're-read the config file: only node.active and node.passive are refreshed',
    ),
    checkInterval: checkInterval(),
  },
  backup: {
    priority: int('node.backup.priority', 0, 'active/standby priority'),
    port: int('node.backup.port', 10001, 'UDP port'),
    keepAliveInterval: int('node.backup.keepAliveInterval', 3000, 'heartbeat (ms)'),
    members: texts('node.backup.members', 'peer addresses'),
  },
} as const satisfies RowTree;

/** Names are compared in lower case. */
function disabledApi(): ConfigKey<readonly string[]> {
  const doc =
    'API names (last path segment or gRPC method name), any case: refused on HTTP and gRPC, on all views; not on JSON-RPC';
  return row<readonly string[]>('node.disabledApi', 'string[]', [], doc, (value, key) =>
    asTexts(value, key).map((name) => name.toLowerCase()),
  );
}

/** A witness always serves and verifies shielded transactions. Reference: Args.setParam. */
function shielded(): ConfigKey<boolean> {
  const doc = 'shielded APIs and verification; true with --witness';
  const made = row('node.fullNodeAllowShieldedTransaction', 'bool', true, doc, asBoolean);
  return { ...made, read: (source) => made.read(source) || source.flags.witness === true };
}

/** Undefined where neither key is given. Reference: NodeConfig of release 4.8.2. */
function shieldedApi(): ConfigKey<boolean | undefined> {
  const doc = 'shielded APIs, from release 4.8.1 on; without it fullNodeAllowShieldedTransaction where that is given';
  const made = row<boolean | undefined>('node.allowShieldedTransactionApi', 'bool', undefined, doc, asBoolean);
  const older = shielded();
  return {
    ...made,
    read: (source) => made.read(source) ?? (source.value(older.key) === undefined ? undefined : older.read(source)),
  };
}

function checkInterval(): ConfigKey<number> {
  const doc = 'check period (s); the first check comes after 10 s';
  const read = (value: Parameters<typeof asInt64>[0], key: string) => {
    const seconds = toSafe(asInt64(value, key));
    return seconds <= 0 ? 600 : seconds;
  };
  return row('node.dynamicConfig.checkInterval', 'int64', 600, doc, read, '<= 0 becomes 600');
}

/** A bound that later releases know; they take a negative one for none. */
function rpcLimit(name: string, what: string, later: string): ConfigKey<number | undefined> {
  const doc = `${what}; 0 or less: no bound. Absent: ${later} under release 4.8.2, none under 4.7.2`;
  return row<number | undefined>(`node.jsonrpc.${name}`, 'int64', undefined, doc, (value, key) => {
    return Math.max(0, toSafe(asInt64(value, key)));
  });
}

/** Reference: NodeConfig.postProcess. @throws {UsageError} negative */
function messageSize(key: string, what: string, later: string): ConfigKey<number | undefined> {
  const doc = `${what}; a larger one gets status 413. Absent: ${later} under release 4.8.2, the rules of 4.7.2 under it`;
  return row<number | undefined>(key, 'int64', undefined, doc, (value, at) => notNegative(value, at), '>= 0');
}

function notNegative(value: HoconValue, key: string): number {
  const bytes = toSafe(asInt64(value, key));
  if (bytes < 0) throw new UsageError(`${key} must be non-negative, got: ${bytes}`);
  return bytes;
}
