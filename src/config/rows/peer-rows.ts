import { DEFAULT_LIMITS } from '../../p2p/releases/peer-limits.js';
import { itemAt } from '../../primitives/assert.js';
import { type Endpoint, parseEndpoint } from '../endpoint.js';
import { asDouble, asInt32, asTexts, valueAt } from '../hocon/hocon-value.js';
import { bool, type ConfigKey, type Described, described, int, long, optionalText, type RowTree, row } from '../row.js';
import type { ConfigSource } from '../source.js';

/** Section `node`: the peer-to-peer layer. */
export const peerRows = {
  listen: {
    port: int('node.listen.port', 0, 'P2P TCP/UDP port'),
  },
  connection: {
    timeout: int('node.connection.timeout', 2, 'TCP connect timeout (s); without effect'),
  },
  fetchBlock: {
    timeout: int('node.fetchBlock.timeout', 500, 'block fetch timeout (ms)', { min: 100, max: 1000 }),
  },
  channel: {
    read: {
      timeout: int('node.channel.read.timeout', 0, 'read, without effect'),
    },
  },
  maxConnections: maxConnections(),
  minConnections: minConnections(),
  minActiveConnections: minActiveConnections(),
  maxConnectionsWithSameIp: maxConnectionsWithSameIp(),
  maxTps: int('node.maxTps', 1000, 'inventory rate limit per peer: maxTps*10 per 10 s'),
  maxBlockInvPerSecond: int(
    'node.maxBlockInvPerSecond',
    DEFAULT_LIMITS.blockIdsPerSecond,
    'ids of blocks that a peer may announce per 10 s, divided by 10; from 4.8.2 on',
    { min: 1 },
  ),
  maxPendingBlockSize: int(
    'node.maxPendingBlockSize',
    DEFAULT_LIMITS.pendingBlocksMax,
    'blocks of a sync that are asked for or wait to be executed; from 4.8.2 on',
    { min: 50, max: 2000 },
  ),
  maxTrxCacheSize: int(
    'node.maxTrxCacheSize',
    DEFAULT_LIMITS.transactionsMax,
    'waiting transactions above which announced ones are not asked for; from 4.8.2 on',
    { min: 2000 },
  ),
  inactiveThreshold: int(
    'node.inactiveThreshold',
    DEFAULT_LIMITS.idleSeconds,
    'a node that nobody dials parts from a peer that was of no use for so long (s); from 4.8.2 on',
    { min: 1 },
  ),
  netMaxTrxPerSecond: int('node.netMaxTrxPerSecond', 700, 'read, without effect'),
  minParticipationRate: int('node.minParticipationRate', 0, 'witness stops producing below this participation (%)'),
  unsolidifiedBlockCheck: bool(
    'node.unsolidifiedBlockCheck',
    false,
    'take no transactions while node.maxUnsolidifiedBlocks blocks wait for solidification; the reference has it from 4.7.6 on',
  ),
  maxUnsolidifiedBlocks: int('node.maxUnsolidifiedBlocks', 54, 'see node.unsolidifiedBlockCheck'),
  syncFetchBatchNum: long('node.syncFetchBatchNum', 2000, 'block ids per sync request', { min: 100, max: 2000 }),
  discovery: {
    enable: bool('node.discovery.enable', false, 'UDP discovery'),
    persist: bool('node.discovery.persist', false, 'persist discovered nodes'),
    bind: {
      ip: optionalText(
        'node.discovery.bind.ip',
        'own address, to leave out own entries of node.active and node.fastForward; found out when absent',
      ),
    },
    external: {
      ip: optionalText('node.discovery.external.ip', 'announced IPv4 address; found out when absent'),
    },
    public: {
      home: {
        node: bool('node.discovery.public.home.node', false, 'read, without effect'),
      },
    },
    ping: {
      timeout: long('node.discovery.ping.timeout', 15000, 'read, without effect (ms)'),
    },
  },
  p2p: {
    version: int('node.p2p.version', 0, 'network id; peers with another value are rejected'),
    pingInterval: long('node.p2p.pingInterval', 0, 'read, without effect'),
  },
  enableIpv6: bool('node.enableIpv6', false, 'use IPv6'),
  effectiveCheckEnable: bool(
    'node.effectiveCheckEnable',
    false,
    'dial other nodes while nobody has blocks that this node lacks',
  ),
  isOpenFullTcpDisconnect: bool('node.isOpenFullTcpDisconnect', false, 'random disconnection policy when full'),
  nodeDetectEnable: bool('node.nodeDetectEnable', false, 'ask nodes for free places before they are dialled'),
  receiveTcpMinDataLength: long('node.receiveTcpMinDataLength', 2048, 'read, without effect'),
  tcpNettyWorkThreadNum: int('node.tcpNettyWorkThreadNum', 0, 'read, without effect'),
  udpNettyWorkThreadNum: int('node.udpNettyWorkThreadNum', 1, 'read, without effect'),
  active: endpoints('node.active', 'always dial, and trust; own addresses with the own port are left out'),
  passive: endpoints('node.passive', 'trusted when they connect (the address part)'),
  fastForward: endpoints('node.fastForward', 'fast-forward relay nodes, trusted too'),
  maxFastForwardNum: int('node.maxFastForwardNum', 3, 'number of upcoming witnesses considered for relay', {
    min: 1,
    max: 27,
  }),
} as const satisfies RowTree;

/** Seeds given on the command line replace the file's. @throws {UsageError} an entry that is no ip:port. */
export function seedRow(): ConfigKey<readonly Endpoint[]> {
  const made = endpoints('seed.node.ip.list', 'seed nodes; positional arguments replace them');
  return {
    ...made,
    read: (source) => {
      const { seedNodes } = source.flags;
      return seedNodes.length > 0 ? seedNodes.map((seed) => parseEndpoint(seed, 'command line')) : made.read(source);
    },
  };
}

/** @throws {UsageError} an entry that is no ip:port. */
function endpoints(key: string, doc: string): ConfigKey<readonly Endpoint[]> {
  return row<readonly Endpoint[]>(key, 'string[] ip:port', [], doc, (value, at) =>
    asTexts(value, at).map((entry) => parseEndpoint(entry, at)),
  );
}

/** Number of peers under its old name, which wins when present. */
function maxConnections(): ConfigKey<number> {
  const made = int('node.maxConnections', 30, 'maximum peers');
  const also = [described('node.maxActiveNodes', 'int', 'absent', 'old name of node.maxConnections, wins over it')];
  return { ...made, also, read: (source) => oldMaximum(source) ?? made.read(source) };
}

function minConnections(): ConfigKey<number> {
  const doc = 'with node.maxActiveNodes: node.minConnections = int(maximum * factor)';
  const also = [described('node.connectFactor', 'double', 'absent', doc)];
  return byFactor(int('node.minConnections', 8, 'minimum peers to keep'), also);
}

function minActiveConnections(): ConfigKey<number> {
  const doc = 'with node.maxActiveNodes: node.minActiveConnections = int(maximum * factor)';
  const also = [described('node.activeConnectFactor', 'double', 'absent', doc)];
  return byFactor(int('node.minActiveConnections', 3, 'minimum outgoing peers'), also);
}

function maxConnectionsWithSameIp(): ConfigKey<number> {
  const old = 'node.maxActiveNodesWithSameIp';
  const made = int('node.maxConnectionsWithSameIp', 2, 'maximum peers per address');
  const also = [described(old, 'int', 'absent', 'old name of node.maxConnectionsWithSameIp, wins over it')];
  return {
    ...made,
    also,
    read: (source) => {
      const value = valueAt(source.root, old);
      return value === undefined ? made.read(source) : asInt32(value, old);
    },
  };
}

function byFactor(made: ConfigKey<number>, also: readonly Described[]): ConfigKey<number> {
  const { key } = itemAt(also, 0);
  const read = (source: ConfigSource) => {
    const [maximum, factor] = [oldMaximum(source), valueAt(source.root, key)];
    if (maximum === undefined || factor === undefined) return made.read(source);
    return Math.trunc(maximum * asDouble(factor, key));
  };
  return { ...made, also, limits: 'lowered to the next larger limit where nodes are dialled', read };
}

function oldMaximum(source: ConfigSource): number | undefined {
  const key = 'node.maxActiveNodes';
  const value = valueAt(source.root, key);
  return value && asInt32(value, key);
}
