import { isIPv4 } from 'node:net';
import { DEFAULT_LIMITS } from '../../p2p/releases/peer-limits.js';
import { itemAt } from '../../primitives/assert.js';
import { type Endpoint, parseEndpoint } from '../endpoint.js';
import { asDouble, asInt32, asTexts, valueAt } from '../hocon/hocon-value.js';
import { fileRulesOf } from '../release-defaults.js';
import { bool, type ConfigKey, type Described, described, int, long, optionalText, type RowTree, row } from '../row.js';
import type { ConfigSource } from '../source.js';
import { tronicleRows } from './tronicle-rows.js';

/** Section `node`: keys of the peer-to-peer network. */
export const peerRows = {
  listen: {
    port: int('node.listen.port', 0, 'TCP and UDP port for peers'),
  },
  connection: {
    timeout: int('node.connection.timeout', 2, 'TCP connect timeout (s); without effect'),
  },
  fetchBlock: {
    timeout: int('node.fetchBlock.timeout', 500, 'timeout of a block request (ms)', { min: 100, max: 1000 }),
  },
  channel: {
    read: {
      timeout: int('node.channel.read.timeout', 0, 'without effect'),
    },
  },
  maxConnections: maxConnections(),
  minConnections: minConnections(),
  minActiveConnections: minActiveConnections(),
  maxConnectionsWithSameIp: maxConnectionsWithSameIp(),
  maxTps: int(
    'node.maxTps',
    1000,
    'maximum number of transaction ids that a peer may announce per second, measured over 10 s',
  ),
  maxBlockInvPerSecond: int(
    'node.maxBlockInvPerSecond',
    DEFAULT_LIMITS.blockIdsPerSecond,
    'maximum number of block ids that a peer may announce per second, measured over 10 s; since release 4.8.2',
    { min: 1 },
  ),
  maxPendingBlockSize: int(
    'node.maxPendingBlockSize',
    DEFAULT_LIMITS.pendingBlocksMax,
    'maximum number of blocks requested or queued in a sync; since release 4.8.2',
    { min: 50, max: 2000 },
  ),
  maxTrxCacheSize: int(
    'node.maxTrxCacheSize',
    DEFAULT_LIMITS.transactionsMax,
    'number of pending transactions above which announced transactions are not requested; since release 4.8.2',
    { min: 2000 },
  ),
  inactiveThreshold: int(
    'node.inactiveThreshold',
    DEFAULT_LIMITS.idleSeconds,
    'idle time (s) after which a peer may be disconnected. Applies only while this node has no incoming connections; since release 4.8.2',
    { min: 1 },
  ),
  netMaxTrxPerSecond: int('node.netMaxTrxPerSecond', 700, 'without effect'),
  minParticipationRate: int(
    'node.minParticipationRate',
    0,
    'participation rate (%) of the witnesses, below which this node stops producing blocks',
  ),
  unsolidifiedBlockCheck: bool(
    'node.unsolidifiedBlockCheck',
    false,
    'true: rejects transactions while at least node.maxUnsolidifiedBlocks blocks are not solidified; since release 4.8.2',
  ),
  maxUnsolidifiedBlocks: int(
    'node.maxUnsolidifiedBlocks',
    54,
    'number of unsolidified blocks from which node.unsolidifiedBlockCheck rejects transactions',
  ),
  syncFetchBatchNum: int('node.syncFetchBatchNum', 2000, 'number of block ids per sync request', {
    min: 100,
    max: 2000,
  }),
  discovery: {
    enable: bool('node.discovery.enable', false, 'enables UDP discovery'),
    persist: bool('node.discovery.persist', false, 'stores discovered nodes on disk'),
    bind: {
      ip: optionalText(
        'node.discovery.bind.ip',
        'IP address of this node; the node skips entries of node.active and node.fastForward with this address. Default: detected',
      ),
    },
    external: {
      ip: externalIp(),
    },
    public: {
      home: {
        node: bool('node.discovery.public.home.node', false, 'without effect'),
      },
    },
    ping: {
      timeout: long('node.discovery.ping.timeout', 15000, 'without effect (ms)'),
    },
  },
  p2p: {
    version: int('node.p2p.version', 0, 'network id; peers with a different network id are rejected'),
    pingInterval: long('node.p2p.pingInterval', 0, 'without effect'),
  },
  enableIpv6: bool('node.enableIpv6', false, 'enables IPv6'),
  effectiveCheckEnable: bool(
    'node.effectiveCheckEnable',
    false,
    'true: dials other nodes while no peer has blocks that this node lacks',
  ),
  isOpenFullTcpDisconnect: bool(
    'node.isOpenFullTcpDisconnect',
    false,
    'true: disconnects a random peer when all connections are in use',
  ),
  nodeDetectEnable: bool(
    'node.nodeDetectEnable',
    false,
    'true: before this node dials another node, this node queries the number of free connections of the other node',
  ),
  receiveTcpMinDataLength: long('node.receiveTcpMinDataLength', 2048, 'without effect'),
  tcpNettyWorkThreadNum: int('node.tcpNettyWorkThreadNum', 0, 'without effect'),
  udpNettyWorkThreadNum: int('node.udpNettyWorkThreadNum', 1, 'without effect'),
  active: endpoints(
    'node.active',
    'trusted nodes that this node always dials; entries with the address and port of this node are skipped',
  ),
  passive: endpoints('node.passive', 'nodes whose incoming connections are trusted; the port of an entry is ignored'),
  fastForward: endpoints('node.fastForward', 'trusted fast-forward relay nodes'),
  maxFastForwardNum: int(
    'node.maxFastForwardNum',
    3,
    'number of next scheduled witnesses to which a relay node sends blocks directly',
    {
      min: 1,
      max: 27,
    },
  ),
} as const satisfies RowTree;

/**
 * Returns the key of the seed nodes. Seed nodes of the command line replace those of the file. The reader rejects an
 * entry that is not ip:port.
 */
export function seedRow(): ConfigKey<readonly Endpoint[]> {
  const configKey = endpoints(
    'seed.node.ip.list',
    'seed nodes; positional arguments of the command line replace the list',
  );
  return {
    ...configKey,
    read: (source) => {
      const { seedNodes } = source.flags;
      return seedNodes.length > 0
        ? seedNodes.map((seed) => parseEndpoint(seed, 'command line'))
        : configKey.read(source);
    },
  };
}

/** Creates the key of a list of nodes. The reader rejects an entry that is not ip:port. */
function endpoints(key: string, doc: string): ConfigKey<readonly Endpoint[]> {
  return row<readonly Endpoint[]>(key, 'string[] ip:port', [], doc, (value, at) =>
    asTexts(value, at).map((entry) => parseEndpoint(entry, at)),
  );
}

/** Returns the key of the maximum number of peers. If its older name is present, that name applies. */
function maxConnections(): ConfigKey<number> {
  const configKey = int('node.maxConnections', 30, 'maximum number of peers');
  const also = [
    described(
      'node.maxActiveNodes',
      'int',
      'absent',
      'former name of node.maxConnections. If both keys are set, this key applies',
    ),
  ];
  return { ...configKey, also, read: (source) => oldMaximum(source) ?? configKey.read(source) };
}

function minConnections(): ConfigKey<number> {
  const doc =
    'with node.maxActiveNodes: sets node.minConnections to the integer part of node.maxActiveNodes × this factor';
  const also = [described('node.connectFactor', 'double', 'absent', doc)];
  return byFactor(int('node.minConnections', 8, 'minimum number of peers'), also);
}

function minActiveConnections(): ConfigKey<number> {
  const doc =
    'with node.maxActiveNodes: sets node.minActiveConnections to the integer part of node.maxActiveNodes × this factor';
  const also = [described('node.activeConnectFactor', 'double', 'absent', doc)];
  return byFactor(int('node.minActiveConnections', 3, 'minimum number of dialled peers'), also);
}

function maxConnectionsWithSameIp(): ConfigKey<number> {
  const old = 'node.maxActiveNodesWithSameIp';
  const configKey = int('node.maxConnectionsWithSameIp', 2, 'maximum number of peers per IP address');
  const also = [
    described(
      old,
      'int',
      'absent',
      'former name of node.maxConnectionsWithSameIp. If both keys are set, this key applies',
    ),
  ];
  return {
    ...configKey,
    also,
    read: (source) => {
      const value = valueAt(source.root, old);
      return value === undefined ? configKey.read(source) : asInt32(value, old);
    },
  };
}

function byFactor(configKey: ConfigKey<number>, also: readonly Described[]): ConfigKey<number> {
  const { key } = itemAt(also, 0);
  const read = (source: ConfigSource) => {
    const [maximum, factor] = [oldMaximum(source), valueAt(source.root, key)];
    if (maximum === undefined || factor === undefined) return configKey.read(source);
    return Math.trunc(maximum * asDouble(factor, key));
  };
  return {
    ...configKey,
    also,
    limits: 'lowered to the next larger limit: minActiveConnections ≤ minConnections ≤ maxConnections',
    read,
  };
}

function oldMaximum(source: ConfigSource): number | undefined {
  const key = 'node.maxActiveNodes';
  const value = valueAt(source.root, key);
  return value && asInt32(value, key);
}

/** Creates the key of the announced address. Later releases read the text "null" as an absent key. */
function externalIp(): ConfigKey<string | undefined> {
  const doc = 'IPv4 address that the node announces to peers. Default: detected';
  const configKey = optionalText('node.discovery.external.ip', doc);
  return {
    ...configKey,
    read: (source) => {
      const text = configKey.read(source);
      const isNull = text?.toLowerCase() === 'null' && fileRulesOf(tronicleRows.release.read(source)).bindsSections;
      const announced = isNull ? '' : (text?.trim() ?? '');
      // Peers close the connection of a node that announces another text, and java-tron starts with each text.
      if (announced !== '' && (!isIPv4(announced) || announced.startsWith('0.')))
        source.warn(
          `node.discovery.external.ip = ${announced} is no IPv4 address of a node, so peers reject this node; set an IPv4 address, ` +
            'or remove the key',
        );
      return isNull ? undefined : text;
    },
  };
}
