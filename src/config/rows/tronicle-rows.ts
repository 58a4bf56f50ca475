import { UsageError } from '../../primitives/errors.js';
import { SLOT_MS } from '../../state-transition/consensus/schedule.js';
import { releases } from '../../state-transition/releases/index.js';
import { asText, type HoconValue, hoconInt64 } from '../hocon/hocon-value.js';
import { isLogLevel, LOG_LEVELS, type LogLevel } from '../log-levels.js';
import { bool, type ConfigKey, int, optionalText, type RowTree, row, textKey, texts } from '../row.js';
import { genesisParametersRow } from './genesis-parameters-row.js';
import { sinksRow } from './sink-rows.js';
import { sourceRow } from './source-row.js';
import { DIALLED, dnsServers, HOST_NAME, LISTENING, names, ORIGIN, textsLike } from './text-lists.js';

/** Retention of row changes. A number is a number of blocks. */
type Retention = 'unsolidified' | 'all' | number;

/** Minimum time between the blocks of a private network, in ms. */
export const BLOCK_TIME_MIN_MS = 20;

/** Section `tronicle`: all keys that java-tron does not have. */
export const tronicleRows = {
  release: release(),
  history: { retention: retention() },
  log: { retention: logRetention(), level: logLevel() },
  check: check(),
  http: {
    enable: bool(
      'tronicle.http.enable',
      true,
      'starts the server of the status page, /graphql, /graphiql, /metrics, /healthz, /readyz and OpenAPI. Default in `test-driver`: false',
    ),
    address: textKey('tronicle.http.address', '127.0.0.1', 'listen address of the server of tronicle.http.enable'),
    port: port('tronicle.http.port', 8080, 'port of the server of tronicle.http.enable'),
  },
  health: {
    maxHeadAge: checked(
      int(
        'tronicle.health.maxHeadAge',
        120,
        'maximum age (s) of the head block. With an older head block, /readyz and grpc.health.v1 report that the node is not ready. A block takes 3 s',
      ),
      (seconds) => seconds >= 1,
      'must be at least 1',
    ),
    minFreeDisk: checked(
      int(
        'tronicle.health.minFreeDisk',
        1024,
        'minimum free space (MiB) on the disk of the data folder. With less free space, /readyz and grpc.health.v1 report that the node is not ready',
      ),
      (mib) => mib >= 0,
      'must be at least 0',
    ),
  },
  admin: {
    enable: bool('tronicle.admin.enable', false, 'starts the admin server, which lets commands change a running node'),
    address: textKey('tronicle.admin.address', '127.0.0.1', 'listen address of the admin server'),
    port: port('tronicle.admin.port', 8089, 'port of the admin server'),
    token: textKey(
      'tronicle.admin.token',
      '',
      'bearer token of the admin server; if empty, the node generates a token and stores it in <data>/admin.token',
    ),
    sinkFolders: texts(
      'tronicle.admin.sinkFolders',
      'additional folders for the files of sinks added at run time; the data folder is always allowed',
    ),
  },
  dns: { servers: dnsServers() },
  libp2p: {
    listen: textsLike(
      'tronicle.libp2p.listen',
      LISTENING,
      'listen addresses for encrypted links with other Tronicle nodes. Empty: no other node can open an encrypted link to this node',
    ),
    peers: textsLike(
      'tronicle.libp2p.peers',
      DIALLED,
      'Tronicle nodes to which this node keeps encrypted links open. Empty: this node opens no encrypted links',
    ),
  },
  follow: {
    listen: textsLike(
      'tronicle.follow.listen',
      LISTENING,
      'listen addresses for browsers that follow block headers and solidified events over encrypted links. Empty: the node accepts no such browsers',
    ),
  },
  v1: {
    enable: bool(
      'tronicle.v1.enable',
      false,
      'serves histories by address in TronGrid format, at /v1 on `node.http.fullNodePort`; needs `tronicle.projections`. Default in `npm start`: true',
    ),
  },
  api: {
    address: textKey(
      'tronicle.api.address',
      '0.0.0.0',
      'listen address of the ports for HTTP, gRPC, JSON-RPC and Prometheus. Default in `npm start`: 127.0.0.1',
    ),
    onePort: bool(
      'tronicle.api.onePort',
      false,
      'also serves /walletsolidity, /jsonrpc and JSON-RPC (POST /) on `node.http.fullNodePort`, like TronGrid. Default in `npm start`: true',
    ),
    workers: atLeast(
      'tronicle.api.workers',
      0,
      0,
      'number of API threads, which serve HTTP, gRPC, JSON-RPC and GraphQL on the same ports. 0: the number of processors minus 2, from 1 to 8. More than one thread needs Linux and Node.js 22.12. Default in `npm start`: 1',
    ),
    reflection: bool('tronicle.api.reflection', false, 'enables gRPC server reflection, v1 and v1alpha'),
    cors: textsLike(
      'tronicle.api.cors',
      ORIGIN,
      'origins of web pages from which browsers may call the APIs; "*" allows all origins. A node of a private network also allows pages that the machine of the node serves',
    ),
    hosts: textsLike(
      'tronicle.api.hosts',
      HOST_NAME,
      'additional host names of this node at which a private network can be controlled; localhost and the listen addresses are always allowed',
    ),
  },
  threads: {
    signatures: atLeast(
      'tronicle.threads.signatures',
      1,
      0,
      'number of worker threads that verify signatures of new blocks, in addition to the main thread',
    ),
    pool: atLeast(
      'tronicle.threads.pool',
      0,
      0,
      'number of worker threads for large answers, expensive calls and queries, traces and log searches. The worker threads are divided among the API threads; each API thread has at least one worker thread. 0: the number of processors minus 2, at least 1',
    ),
  },
  sapling: {
    spendKey: optionalText(
      'tronicle.sapling.spendKey',
      'path of the file with the verifying key of the Sapling spend circuit; needed on chains with shielded TRC20 transfers or burns',
    ),
  },
  jsonrpc: {
    history: bool(
      'tronicle.jsonrpc.history',
      false,
      'enables eth_call, eth_getBalance, eth_getCode and eth_getStorageAt at past heights within `tronicle.history.retention`. Default in `npm start`: true',
    ),
    finalityTags: bool(
      'tronicle.jsonrpc.finalityTags',
      false,
      'enables the block tags finalized and safe. Default in `npm start`: true',
    ),
    blockReceipts: bool(
      'tronicle.jsonrpc.blockReceipts',
      false,
      'enables eth_getBlockReceipts. Default in `npm start`: true',
    ),
    revertData: bool(
      'tronicle.jsonrpc.revertData',
      false,
      'answers a reverted eth_call or eth_estimateGas with error code 3 and the return data as `error.data`. Default in `npm start`: true',
    ),
    subscriptions: bool(
      'tronicle.jsonrpc.subscriptions',
      false,
      'enables WebSocket with eth_subscribe and eth_unsubscribe on the JSON-RPC ports. Default in `npm start`: true',
    ),
    debug: bool(
      'tronicle.jsonrpc.debug',
      false,
      'enables debug_traceTransaction, debug_traceCall, debug_traceBlockByNumber and debug_traceBlockByHash (as in geth). Also enables trace_block, trace_transaction, trace_filter, trace_call, trace_replayTransaction and trace_replayBlockTransactions (as in Erigon). These methods work for blocks within `tronicle.history.retention`. Default in `npm start`: true',
    ),
    ethereum: bool(
      'tronicle.jsonrpc.ethereum',
      false,
      'returns answers that ethers, viem, web3.py, cast and Hardhat accept, and enables history, finalityTags, blockReceipts and revertData (docs/ethereum-tools.md). Default in `npm start`: true',
    ),
  },
  devnet: {
    control: bool(
      'tronicle.devnet.control',
      false,
      'enables evm_snapshot, evm_revert, evm_mine, evm_increaseTime and evm_setNextBlockTimestamp, also over the admin server. Default in `tronicle devnet`: true; without effect in other commands',
    ),
    chainId: checked(
      int(
        'tronicle.devnet.chainId',
        0,
        'chain id of a private network, as returned by eth_chainId, net_version and the opcode CHAINID; 0: the last four bytes of the id of block 0',
      ),
      (number) => number >= 0,
      'must be 0..2147483647',
    ),
    blockTime: checked(
      int(
        'tronicle.devnet.blockTime',
        SLOT_MS,
        'time (ms) between two blocks of a private network; must not change after block 1. The genesis time must be a multiple of this time. Values below 3000 need `tronicle devnet`',
      ),
      (number) => number >= BLOCK_TIME_MIN_MS && number <= SLOT_MS,
      `must be ${BLOCK_TIME_MIN_MS}..${SLOT_MS}`,
    ),
    accounts: checked(
      int('tronicle.devnet.accounts', 10, 'number of funded accounts of `tronicle devnet`'),
      (number) => number >= 1 && number <= 1_000,
      'must be 1..1000',
    ),
    mnemonic: textKey(
      'tronicle.devnet.mnemonic',
      '',
      'BIP-39 words from which the keys of the funded accounts of `tronicle devnet` are derived; empty: built-in public test keys',
    ),
  },
  genesisParameters: genesisParametersRow,
  projections: names('tronicle.projections', 'names of the indexes to build, or `all`; `docs/indexes.md` lists them'),
  sinks: sinksRow,
  source: sourceRow,
} as const satisfies RowTree;

/** Returns the key `tronicle.release`. The reader rejects unknown releases. */
function release(): ConfigKey<string> {
  const names = releases.map(({ name }) => name);
  const read = (value: HoconValue, key: string): string => {
    const text = asText(value, key);
    if (names.includes(text)) return text;
    throw new UsageError(`Check ${key}, must be one of ${names.join(', ')}, actual: ${text}`);
  };
  const doc = 'java-tron release to emulate, with its rules, block version, error texts and answers';
  return row<string>('tronicle.release', names.join(' | '), releases[0].name, doc, read);
}

/** Returns the key `tronicle.history.retention`. */
function retention(): ConfigKey<Retention> {
  const read = (value: HoconValue, key: string): Retention => {
    const text = asText(value, key);
    if (text === 'unsolidified' || text === 'all') return text;
    const blocks = hoconInt64(text);
    if (blocks !== undefined && blocks > 0n && blocks <= BigInt(Number.MAX_SAFE_INTEGER)) return Number(blocks);
    throw new UsageError(`Check ${key}, must be unsolidified, all or a number of blocks above 0, actual: ${text}`);
  };
  const doc =
    'blocks for which old states stay readable: the unsolidified blocks, the given number of newest blocks, or all blocks. Default in `test-driver` and `npm start`: all';
  return row<Retention>('tronicle.history.retention', 'unsolidified | <blocks> | all', 'unsolidified', doc, read);
}

/**
 * Minimum number of blocks in the block log. TAPOS and the detection of duplicate transactions need this number of
 * newest blocks. Reference: RecentBlockStore, transactionCache.
 */
export const LOG_BLOCKS_MIN = 65_536n;

/** Returns the key `tronicle.log.retention`. */
function logRetention(): ConfigKey<number | 'all'> {
  const read = (value: HoconValue, key: string): number | 'all' => {
    const text = asText(value, key);
    if (text === 'all') return text;
    const blocks = hoconInt64(text);
    if (blocks !== undefined && blocks >= LOG_BLOCKS_MIN && blocks <= BigInt(Number.MAX_SAFE_INTEGER))
      return Number(blocks);
    throw new UsageError(`Check ${key}, must be all or at least ${LOG_BLOCKS_MIN} blocks, actual: ${text}`);
  };
  const doc =
    'number of newest blocks that the block log keeps, with transactions, receipts and row changes. Older blocks are deleted, so the state cannot be replayed from genesis';
  return row<number | 'all'>('tronicle.log.retention', 'all | <blocks>', 'all', doc, read);
}

/** Returns the key `tronicle.log.level`. The reader rejects unknown levels. */
function logLevel(): ConfigKey<LogLevel> {
  const read = (value: HoconValue, key: string): LogLevel => {
    const text = asText(value, key);
    if (isLogLevel(text)) return text;
    throw new UsageError(`Check ${key}, must be one of ${LOG_LEVELS.join(', ')}, actual: ${text}`);
  };
  const doc = 'lowest level of the log lines that the node writes; --log-level and TRONICLE_LOG_LEVEL override the key';
  return row<LogLevel>('tronicle.log.level', LOG_LEVELS.join(' | '), 'info', doc, read);
}

/** Returns the key `tronicle.check`: a read rate in bytes per second, or `off`. */
function check(): ConfigKey<number | 'off'> {
  const read = (value: HoconValue, key: string): number | 'off' => {
    const text = asText(value, key);
    if (text === 'off') return text;
    const bytes = hoconInt64(text);
    if (bytes !== undefined && bytes > 0n && bytes <= BigInt(Number.MAX_SAFE_INTEGER)) return Number(bytes);
    throw new UsageError(`Check ${key}, must be off or a number of bytes above 0, actual: ${text}`);
  };
  const doc =
    'read rate (bytes per second) of the daily verification of the data folder in a running node. A folder below 256 MiB is verified only ' +
    'at start. The value off disables both verifications';
  return row<number | 'off'>('tronicle.check', 'off | <bytes per second>', 104_857_600, doc, read);
}

/** Creates the key of a TCP port. With 0, the system chooses a free port. The reader rejects values out of range. */
function port(key: string, fallback: number, doc: string): ConfigKey<number> {
  const configKey = int(key, fallback, doc);
  return checked(configKey, (number) => number >= 0 && number <= 65_535, 'must be a port, 0..65535');
}

function atLeast(key: string, fallback: number, least: number, doc: string): ConfigKey<number> {
  return checked(int(key, fallback, doc), (number) => number >= least && number <= 64, `must be ${least}..64`);
}

function checked(configKey: ConfigKey<number>, isGood: (value: number) => boolean, rule: string): ConfigKey<number> {
  return {
    ...configKey,
    limits: rule,
    read: (source) => {
      const value = configKey.read(source);
      if (!isGood(value)) throw new UsageError(`Check ${configKey.key}, ${rule}, actual: ${value}`);
      return value;
    },
  };
}
