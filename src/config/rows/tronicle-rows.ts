import { Resolver } from 'node:dns';
import { UsageError } from '../../primitives/errors.js';
import { releases } from '../../state-transition/releases/index.js';
import { asText, asTexts, type HoconValue, hoconInt64 } from '../hocon/hocon-value.js';
import { bool, type ConfigKey, int, optionalText, type RowTree, row, textKey, texts } from '../row.js';
import { genesisParametersRow } from './genesis-parameters-row.js';
import { sinksRow } from './sink-rows.js';
import { sourceRow } from './source-row.js';

/** How far back the `changes` records are kept: a number is a count of blocks. */
type Retention = 'unsolidified' | 'all' | number;

interface MultiaddrForm {
  readonly pattern: RegExp;
  readonly example: string;
}

const LISTENING: MultiaddrForm = {
  pattern: /^\/ip[46]\/[^/]+\/tcp\/\d+(\/ws)?$/,
  example: '/ip4/0.0.0.0/tcp/18890/ws',
};
const DIALLED: MultiaddrForm = {
  pattern: /^\/(ip4|ip6|dns|dns4|dns6)\/[^/]+\/tcp\/\d+(\/tls)?(\/ws)?\/p2p\/[1-9A-HJ-NP-Za-km-z]+$/,
  example: '/ip4/192.0.2.1/tcp/18889/p2p/12D3KooW...',
};

/** Section `tronicle`: all that the reference does not know. */
export const tronicleRows = {
  release: release(),
  history: { retention: retention() },
  log: { retention: logRetention() },
  check: check(),
  http: {
    enable: bool('tronicle.http.enable', true, 'status page, /graphql, /graphiql, /metrics, OpenAPI; false in `drive`'),
    address: textKey('tronicle.http.address', '127.0.0.1', 'address to listen on'),
    port: port('tronicle.http.port', 8080, 'port'),
  },
  admin: {
    enable: bool('tronicle.admin.enable', false, 'admin interface, for commands that change a running node'),
    address: textKey('tronicle.admin.address', '127.0.0.1', 'address to listen on'),
    port: port('tronicle.admin.port', 8089, 'port'),
    token: textKey('tronicle.admin.token', '', 'secret that callers send; empty: one is made in <data>/admin.token'),
  },
  dns: { servers: dnsServers() },
  libp2p: {
    listen: multiaddrs(
      'tronicle.libp2p.listen',
      LISTENING,
      'where other nodes of Tronicle reach this one over encrypted links',
    ),
    peers: multiaddrs(
      'tronicle.libp2p.peers',
      DIALLED,
      'nodes of Tronicle that are kept connected over encrypted links',
    ),
  },
  follow: {
    listen: multiaddrs(
      'tronicle.follow.listen',
      LISTENING,
      'where browsers follow headers and solidified events over encrypted links',
    ),
  },
  v1: {
    enable: bool(
      'tronicle.v1.enable',
      false,
      'histories by address in the form of TronGrid, /v1 on `node.http.fullNodePort`; they come of `tronicle.projections`; true in `npm start`',
    ),
  },
  api: {
    reflection: bool('tronicle.api.reflection', false, 'gRPC server reflection'),
    cors: texts('tronicle.api.cors', 'origins that browsers may call from; "*" is any'),
  },
  threads: {
    signatures: atLeast(
      'tronicle.threads.signatures',
      1,
      0,
      'workers that prove or recover public keys of blocks that come; the main thread helps',
    ),
    pool: atLeast('tronicle.threads.pool', 1, 1, 'workers for constant calls, estimates and traces'),
  },
  sapling: {
    spendKey: optionalText(
      'tronicle.sapling.spendKey',
      'file with the verifying key of the spend circuit, for chains whose shielded contracts transfer or burn',
    ),
  },
  jsonrpc: {
    history: bool(
      'tronicle.jsonrpc.history',
      false,
      'eth_call, eth_getBalance, eth_getCode, eth_getStorageAt at past heights, as far as `tronicle.history.retention` keeps them; true in `npm start`',
    ),
    finalityTags: bool('tronicle.jsonrpc.finalityTags', false, 'block tags finalized and safe; true in `npm start`'),
    blockReceipts: bool('tronicle.jsonrpc.blockReceipts', false, 'eth_getBlockReceipts; true in `npm start`'),
    revertData: bool(
      'tronicle.jsonrpc.revertData',
      false,
      'a reverted eth_call or eth_estimateGas has code 3 and what the contract returned as `error.data`; true in `npm start`',
    ),
    subscriptions: bool(
      'tronicle.jsonrpc.subscriptions',
      false,
      'WebSocket on the JSON-RPC ports, with eth_subscribe and eth_unsubscribe; true in `npm start`',
    ),
    debug: bool(
      'tronicle.jsonrpc.debug',
      false,
      'debug_traceTransaction, debug_traceCall, debug_traceBlockByNumber, debug_traceBlockByHash as geth, trace_block, trace_transaction, trace_filter, trace_call, trace_replayTransaction, trace_replayBlockTransactions as Erigon, over past blocks as far as `tronicle.history.retention` keeps them; true in `npm start`',
    ),
    ethereum: bool(
      'tronicle.jsonrpc.ethereum',
      false,
      'answers that ethers, viem, web3.py, cast and Hardhat read, with history, finalityTags, blockReceipts and revertData: docs/ethereum-tools.md; true in `npm start`',
    ),
  },
  devnet: {
    control: bool(
      'tronicle.devnet.control',
      false,
      'evm_snapshot, evm_revert, evm_mine, evm_increaseTime, evm_setNextBlockTimestamp, and the same over the admin interface; `tronicle devnet` has it on, elsewhere it has no effect',
    ),
  },
  genesisParameters: genesisParametersRow,
  projections: names(
    'tronicle.projections',
    'histories to build: address-history, token-transfers, token-contracts, internal-transactions, balance-history, stake-history, contract-events',
  ),
  sinks: sinksRow,
  source: sourceRow,
} as const satisfies RowTree;

/** @throws {UsageError} a release that there is not. */
function release(): ConfigKey<string> {
  const names = releases.map(({ name }) => name);
  const read = (value: HoconValue, key: string): string => {
    const given = asText(value, key);
    if (names.includes(given)) return given;
    throw new UsageError(`Check ${key}, must be one of ${names.join(', ')}, actual: ${given}`);
  };
  const doc = 'release of the reference that the node is: rules it knows, block version it writes, texts, answers';
  return row<string>('tronicle.release', names.join(' | '), releases[0].name, doc, read);
}

/** @throws {UsageError} neither word nor count. */
function retention(): ConfigKey<Retention> {
  const read = (value: HoconValue, key: string): Retention => {
    const given = asText(value, key);
    if (given === 'unsolidified' || given === 'all') return given;
    const blocks = hoconInt64(given);
    if (blocks !== undefined && blocks > 0n && blocks <= BigInt(Number.MAX_SAFE_INTEGER)) return Number(blocks);
    throw new UsageError(`Check ${key}, must be unsolidified, all or a number of blocks above 0, actual: ${given}`);
  };
  const doc =
    'state at past heights: kept for the unsolidified blocks, this many blocks, or all; all in `drive` and `npm start`';
  return row<Retention>('tronicle.history.retention', 'unsolidified | <blocks> | all', 'unsolidified', doc, read);
}

/**
 * Blocks within which transactions refer to others and must not come twice.
 * Reference: RecentBlockStore, transactionCache.
 */
export const LOG_BLOCKS_MIN = 65_536n;

/** @throws {UsageError} one that is no address */
function dnsServers(): ConfigKey<readonly string[]> {
  return row<readonly string[]>(
    'tronicle.dns.servers',
    'string[] ip or ip:port',
    [],
    'servers that DNS trees are looked up with; none: public ones, as the reference',
    (value, key) => {
      const servers = asTexts(value, key);
      try {
        new Resolver().setServers(servers);
      } catch (error) {
        throw new UsageError(`${key}: ${(error as Error).message}`);
      }
      return servers;
    },
  );
}

/** @throws {UsageError} one that has another form */
function multiaddrs(key: string, { pattern, example }: MultiaddrForm, doc: string): ConfigKey<readonly string[]> {
  return row<readonly string[]>(key, `string[] such as ${example}`, [], `${doc}; none: off`, (value, at) => {
    const addresses = asTexts(value, at);
    const wrong = addresses.find((address) => !pattern.test(address));
    if (wrong !== undefined) throw new UsageError(`Check ${at}, must have the form ${example}, actual: ${wrong}`);
    return addresses;
  });
}

/** @throws {UsageError} neither `all` nor a number of blocks that is enough. */
function logRetention(): ConfigKey<number | 'all'> {
  const read = (value: HoconValue, key: string): number | 'all' => {
    const given = asText(value, key);
    if (given === 'all') return given;
    const blocks = hoconInt64(given);
    if (blocks !== undefined && blocks >= LOG_BLOCKS_MIN && blocks <= BigInt(Number.MAX_SAFE_INTEGER))
      return Number(blocks);
    throw new UsageError(`Check ${key}, must be all or at least ${LOG_BLOCKS_MIN} blocks, actual: ${given}`);
  };
  const doc =
    'blocks that stay in the log, with their transactions, receipts and changes; older ones leave, and the state cannot be replayed from genesis any more';
  return row<number | 'all'>('tronicle.log.retention', 'all | <blocks>', 'all', doc, read);
}

/** @throws {UsageError} neither `off` nor a number of bytes. */
function check(): ConfigKey<number | 'off'> {
  const read = (value: HoconValue, key: string): number | 'off' => {
    const given = asText(value, key);
    if (given === 'off') return given;
    const bytes = hoconInt64(given);
    if (bytes !== undefined && bytes > 0n && bytes <= BigInt(Number.MAX_SAFE_INTEGER)) return Number(bytes);
    throw new UsageError(`Check ${key}, must be off or a number of bytes above 0, actual: ${given}`);
  };
  const doc =
    'bytes per second at which a large data folder is read whole beside the running node, once a day; a folder below 256 MiB is read ' +
    'before; off: neither';
  return row<number | 'off'>('tronicle.check', 'off | <bytes per second>', 104_857_600, doc, read);
}

/** @throws {UsageError} no TCP port; 0 lets the system choose. */
function port(key: string, fallback: number, doc: string): ConfigKey<number> {
  const made = int(key, fallback, doc);
  return checked(made, (number) => number >= 0 && number <= 65_535, 'must be a port, 0..65535');
}

function atLeast(key: string, fallback: number, least: number, doc: string): ConfigKey<number> {
  return checked(int(key, fallback, doc), (number) => number >= least && number <= 64, `must be ${least}..64`);
}

function checked(made: ConfigKey<number>, isGood: (value: number) => boolean, rule: string): ConfigKey<number> {
  return {
    ...made,
    limits: rule,
    read: (source) => {
      const value = made.read(source);
      if (!isGood(value)) throw new UsageError(`Check ${made.key}, ${rule}, actual: ${value}`);
      return value;
    },
  };
}

/** @throws {UsageError} the same name twice. */
function names(key: string, doc: string): ConfigKey<readonly string[]> {
  return row<readonly string[]>(key, 'string[]', [], doc, (value, at) => {
    const all = asTexts(value, at);
    const twice = all.find((name, index) => all.indexOf(name) !== index);
    if (twice !== undefined) throw new UsageError(`Check ${at}, "${twice}" is listed twice`);
    return all;
  });
}
