import { availableParallelism } from 'node:os';
import { UsageError } from '../../primitives/errors.js';
import { asBoolean, asInt64, asTexts, type HoconValue } from '../hocon/hocon-value.js';
import {
  bool,
  type ConfigKey,
  int,
  long,
  optionalText,
  positive,
  type RowTree,
  row,
  textKey,
  texts,
  toSafe,
} from '../row.js';

const CPUS = availableParallelism();
const HALF_CPUS = Math.floor((CPUS + 1) / 2);
const ALL = { shown: 'number of CPUs' };
const HALF = { shown: '(number of CPUs + 1) / 2' };

/** Section `node`: APIs, mempool, metrics. Ports are TCP ports. Units are in the descriptions of the keys. */
export const serviceRows = {
  trustNode: optionalText('node.trustNode', 'gRPC address (host:port) of the node that a solidity node follows'),
  walletExtensionApi: bool(
    'node.walletExtensionApi',
    false,
    'serves the gRPC service WalletExtension on a solidity node',
  ),
  rpc: {
    enable: bool(
      'node.rpc.enable',
      true,
      'starts the full-node gRPC server; since release 4.7.4. Earlier releases always start this server',
    ),
    port: int('node.rpc.port', 50051, 'port of the full-node gRPC server'),
    solidityEnable: bool(
      'node.rpc.solidityEnable',
      true,
      'starts the gRPC server of the solidified state; since release 4.7.4',
    ),
    solidityPort: int('node.rpc.solidityPort', 50061, 'port of the gRPC server of the solidified state'),
    pbftEnable: bool('node.rpc.PBFTEnable', true, 'starts the gRPC server of the PBFT state; since release 4.7.4'),
    pbftPort: int('node.rpc.PBFTPort', 50071, 'port of the gRPC server of the PBFT state'),
    thread: int(
      'node.rpc.thread',
      HALF_CPUS,
      'gRPC threads of java-tron; without effect, because this node has `tronicle.threads.pool`',
      HALF,
    ),
    maxConcurrentCallsPerConnection: int(
      'node.rpc.maxConcurrentCallsPerConnection',
      2147483647,
      'maximum number of concurrent gRPC calls per connection',
    ),
    flowControlWindow: int('node.rpc.flowControlWindow', 1048576, 'HTTP/2 flow control window of gRPC (bytes)'),
    maxConnectionIdleInMillis: long(
      'node.rpc.maxConnectionIdleInMillis',
      Number.MAX_SAFE_INTEGER,
      'idle time (ms) after which a gRPC connection is closed',
    ),
    maxConnectionAgeInMillis: long(
      'node.rpc.maxConnectionAgeInMillis',
      Number.MAX_SAFE_INTEGER,
      'age (ms) at which a gRPC connection is closed',
    ),
    reflectionService: bool('node.rpc.reflectionService', false, 'enables gRPC server reflection; since release 4.7.4'),
    maxMessageSize: int(
      'node.rpc.maxMessageSize',
      4194304,
      'maximum size of a gRPC request (bytes). In release 4.7.2, also the maximum size of an HTTP body',
    ),
    maxHeaderListSize: int('node.rpc.maxHeaderListSize', 8192, 'maximum size of the headers of a gRPC request (bytes)'),
    maxRstStream: int(
      'node.rpc.maxRstStream',
      0,
      'number of streams that a gRPC connection may reset within node.rpc.secondsPerWindow before the node closes the connection. The limit applies only if this key and node.rpc.secondsPerWindow are above 0; since release 4.7.5',
    ),
    secondsPerWindow: int(
      'node.rpc.secondsPerWindow',
      0,
      'time window (s) of node.rpc.maxRstStream; since release 4.7.5',
    ),
    minEffectiveConnection: int(
      'node.rpc.minEffectiveConnection',
      1,
      'number of synced peers needed to broadcast a transaction; 0 disables all connection checks',
    ),
    trxCacheEnable: bool(
      'node.rpc.trxCacheEnable',
      false,
      'true: rejects a second broadcast of a transaction with "Transaction already exists."',
    ),
  },
  http: {
    maxMessageSize: messageSize('node.http.maxMessageSize', 'maximum size of an HTTP body (bytes)', '16777216'),
    fullNodePort: int('node.http.fullNodePort', 8090, 'port of the full-node HTTP server'),
    solidityPort: int('node.http.solidityPort', 8091, 'port of the HTTP server of the solidified state'),
    pbftPort: int('node.http.PBFTPort', 8092, 'port of the HTTP server of the PBFT state'),
    fullNodeEnable: bool('node.http.fullNodeEnable', true, 'starts the full-node HTTP server'),
    solidityEnable: bool('node.http.solidityEnable', true, 'starts the HTTP server of the solidified state'),
    pbftEnable: bool(
      'node.http.PBFTEnable',
      true,
      'starts the HTTP server of the PBFT state; since release 4.8.0. Earlier releases always start this server',
    ),
  },
  jsonrpc: {
    httpFullNodeEnable: bool('node.jsonrpc.httpFullNodeEnable', false, 'starts the JSON-RPC server of the head state'),
    httpFullNodePort: int('node.jsonrpc.httpFullNodePort', 8545, 'port of the JSON-RPC server of the head state'),
    httpSolidityEnable: bool(
      'node.jsonrpc.httpSolidityEnable',
      false,
      'starts the JSON-RPC server of the solidified state',
    ),
    httpSolidityPort: int('node.jsonrpc.httpSolidityPort', 8555, 'port of the JSON-RPC server of the solidified state'),
    httpPBFTEnable: bool('node.jsonrpc.httpPBFTEnable', false, 'starts the JSON-RPC server of the PBFT state'),
    httpPBFTPort: int('node.jsonrpc.httpPBFTPort', 8565, 'port of the JSON-RPC server of the PBFT state'),
    maxMessageSize: messageSize(
      'node.jsonrpc.maxMessageSize',
      'maximum size of a JSON-RPC body (bytes)',
      'the value of node.http.maxMessageSize (or 16777216)',
    ),
    maxBlockRange: rpcLimit('maxBlockRange', 'maximum number of blocks in a log query', '5000'),
    maxSubTopics: rpcLimit('maxSubTopics', 'maximum number of alternatives for one topic of a filter', '1000'),
    maxAddressSize: rpcLimit('maxAddressSize', 'maximum number of addresses in a filter', '1000'),
    maxLogFilterNum: rpcLimit('maxLogFilterNum', 'maximum number of log filters per port', '20000'),
    maxBlockFilterNum: rpcLimit('maxBlockFilterNum', 'maximum number of block filters per port', '50000'),
    maxBatchSize: rpcLimit('maxBatchSize', 'maximum number of calls in a batch request', '100'),
    maxResponseSize: rpcLimit('maxResponseSize', 'maximum size of an answer (bytes)', '26214400'),
  },
  disabledApi: disabledApi(),
  maxHttpConnectNumber: int(
    'node.maxHttpConnectNumber',
    50,
    'maximum number of concurrent connections per HTTP or JSON-RPC server; 0 or less means no limit',
  ),
  openHistoryQueryWhenLiteFN: bool(
    'node.openHistoryQueryWhenLiteFN',
    false,
    'true: enables the history APIs on a lite full node',
  ),
  solidity: {
    threads: int('node.solidity.threads', CPUS, 'without effect', ALL),
  },
  validateSignThreadNum: int(
    'node.validateSignThreadNum',
    HALF_CPUS,
    'signature threads of java-tron; without effect',
    HALF,
  ),
  validContractProto: {
    threads: int('node.validContractProto.threads', CPUS, 'protobuf check threads of java-tron; without effect', ALL),
  },
  blockProducedTimeOut: int(
    'node.blockProducedTimeOut',
    50,
    'maximum time for the execution of transactions in a block that this node produces, in % of half a slot (1.5 s)',
    {
      min: 30,
      max: 100,
    },
  ),
  maxTransactionPendingSize: int(
    'node.maxTransactionPendingSize',
    2000,
    'maximum number of pending transactions. When more transactions are pending, broadcasts are rejected with SERVER_BUSY',
  ),
  pendingTransactionTimeout: long(
    'node.pendingTransactionTimeout',
    60000,
    'age (ms) at which pending transactions are deleted',
  ),
  shieldedTransInPendingMaxCounts: int(
    'node.shieldedTransInPendingMaxCounts',
    10,
    'maximum number of pending shielded transactions; without effect, the limit is always 10',
  ),
  fullNodeAllowShieldedTransaction: shielded(),
  allowShieldedTransactionApi: shieldedApi(),
  zenTokenId: textKey('node.zenTokenId', '000000', 'TRC-10 id of the shielded token in java-tron; without effect'),
  agreeNodeCount: int('node.agreeNodeCount', 19, 'PBFT quorum: number of witnesses (27 × 2 / 3 + 1)', { max: 27 }),
  openPrintLog: bool('node.openPrintLog', true, 'verbose log of java-tron; without effect'),
  openTransactionSort: bool('node.openTransactionSort', false, 'orders pending transactions by fee'),
  blockCacheTimeout: long(
    'node.blockCacheTimeout',
    60,
    'time (min) for which announced items and requests of blocks are cached',
  ),
  metricsEnable: bool(
    'node.metricsEnable',
    false,
    'enables internal meters (getstatsinfo) and the gRPC service Monitor',
  ),
  metrics: {
    storageEnable: bool(
      'node.metrics.storageEnable',
      false,
      'pushes meters to InfluxDB 1.x over HTTP; needs node.metricsEnable',
    ),
    influxdb: {
      ip: textKey('node.metrics.influxdb.ip', '127.0.0.1', 'host of InfluxDB'),
      port: int('node.metrics.influxdb.port', 8086, 'port of InfluxDB'),
      database: textKey('node.metrics.influxdb.database', 'metrics', 'database name in InfluxDB'),
      metricsReportInterval: int(
        'node.metrics.influxdb.metricsReportInterval',
        10,
        'interval of reports to InfluxDB (s)',
      ),
    },
    prometheus: {
      enable: bool('node.metrics.prometheus.enable', false, 'starts the Prometheus exporter'),
      port: int('node.metrics.prometheus.port', 9527, 'port of the Prometheus exporter'),
    },
  },
  dynamicConfig: {
    enable: bool(
      'node.dynamicConfig.enable',
      false,
      'true: reloads node.active and node.passive when the configuration file changes',
    ),
    checkInterval: positive(
      'node.dynamicConfig.checkInterval',
      600,
      'time (s) between two checks of the configuration file; the first check is after 10 s',
    ),
  },
  backup: {
    priority: int(
      'node.backup.priority',
      0,
      'priority of this node in the backup group; the node with the highest priority is the master',
    ),
    port: int('node.backup.port', 10001, 'UDP port of the backup group'),
    keepAliveInterval: int('node.backup.keepAliveInterval', 3000, 'interval of keep-alive messages (ms)'),
    members: texts('node.backup.members', 'addresses of the other nodes of the backup group'),
  },
} as const satisfies RowTree;

/** Returns the key of the disabled APIs. Their names are converted to lower case. */
function disabledApi(): ConfigKey<readonly string[]> {
  const doc =
    'APIs to disable on all HTTP and gRPC ports. The name is the last path segment or the gRPC method, in any case. JSON-RPC is not affected';
  return row<readonly string[]>('node.disabledApi', 'string[]', [], doc, (value, key) =>
    asTexts(value, key).map((name) => name.toLowerCase()),
  );
}

/** Returns the key for shielded transactions. A witness always accepts and verifies them. Reference: Args.setParam. */
function shielded(): ConfigKey<boolean> {
  const doc = 'enables shielded APIs and accepts shielded transactions; always true with --witness';
  const configKey = row('node.fullNodeAllowShieldedTransaction', 'bool', true, doc, asBoolean);
  return { ...configKey, read: (source) => configKey.read(source) || source.flags.witness === true };
}

/**
 * Returns the key for the API of shielded transactions. Its value is undefined if neither this key nor
 * `node.fullNodeAllowShieldedTransaction` is set. Reference: NodeConfig of release 4.8.2.
 */
function shieldedApi(): ConfigKey<boolean | undefined> {
  const doc =
    'enables shielded APIs; since release 4.8.1. Default: the value of node.fullNodeAllowShieldedTransaction if set, otherwise false';
  const configKey = row<boolean | undefined>('node.allowShieldedTransactionApi', 'bool', undefined, doc, asBoolean);
  const older = shielded();
  return {
    ...configKey,
    read: (source) =>
      configKey.read(source) ?? (source.value(older.key) === undefined ? undefined : older.read(source)),
  };
}

/** Creates the key of a JSON-RPC limit, which java-tron has since 4.8.2. A value of 0 or less means no limit. */
function rpcLimit(name: string, what: string, later: string): ConfigKey<number | undefined> {
  const doc = `${what}; 0 or less means no limit. Default: ${later} since release 4.8.2, no limit in 4.7.2`;
  return row<number | undefined>(`node.jsonrpc.${name}`, 'int64', undefined, doc, (value, key) => {
    return Math.max(0, toSafe(asInt64(value, key)));
  });
}

/** Creates the key of a maximum message size. The reader rejects negative values. Reference: NodeConfig.postProcess. */
function messageSize(key: string, what: string, older: string): ConfigKey<number | undefined> {
  const doc = `${what}; a larger body is answered with status 413. Default: 4194304 since release 4.8.2, ${older} in 4.7.2`;
  return row<number | undefined>(key, 'int64', undefined, doc, (value, at) => notNegative(value, at), '>= 0');
}

function notNegative(value: HoconValue, key: string): number {
  const bytes = toSafe(asInt64(value, key));
  if (bytes < 0) throw new UsageError(`${key} must be non-negative, got: ${bytes}`);
  return bytes;
}
