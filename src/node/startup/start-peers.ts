import { PBFTMessageDataType as DataType } from '../../codec/generated/messages.js';
import { isOwnEndpoint } from '../../config/endpoint.js';
import { unsolidifiedMaxOf } from '../../config/unsolidified.js';
import type { WitnessConfig } from '../../config/witness.js';
import { secp256k1 } from '../../crypto/secp256k1.js';
import { Discovery } from '../../p2p/discovery/discovery.js';
import { DnsNodes } from '../../p2p/dns/dns-nodes.js';
import { textLookUp } from '../../p2p/dns/look-up-text.js';
import { encodeProof } from '../../p2p/pbft/proofs.js';
import { PeerNetwork } from '../../p2p/peer-network.js';
import type { WitnessIdentity } from '../../p2p/relay/block-relay.js';
import { peerRelease } from '../../p2p/releases/releases.js';
import { createNodeId, type HostPort } from '../../p2p/transport/node-address.js';
import { concatBytes, fromHex } from '../../primitives/bytes.js';
import { SECOND_MS } from '../../primitives/units.js';
import type { TronicleNode } from '../lifecycle/node.js';
import { startEncryptedLinks } from '../peers/encrypted-links.js';
import { LedgerChain } from '../peers/ledger-chain.js';
import { lanHost, ownHosts } from '../peers/own-address.js';
import { peerDetails } from '../peers/peer-details.js';
import { peerLimits } from '../peers/peer-limits.js';
import { ProofDatabase } from '../peers/proof-database.js';
import { publishNodes } from '../peers/publish-nodes.js';
import { reloadNodes } from '../peers/reload-nodes.js';
import { resolveHosts } from '../peers/resolve-hosts.js';
import { readStoredNodes, storeNodes } from '../peers/stored-nodes.js';
import { VoteProposer, votingKeys } from '../peers/vote-proposer.js';
import { SignaturePool } from '../threads/signatures/signature-pool.js';

const MINUTE_MS = 60_000;

/** Connects to the configured network. The connections are closed with the node. */
export async function startPeers(node: TronicleNode): Promise<PeerNetwork> {
  const { config, chain, clock, log: nodeLog, target } = node;
  const { node: settings, peers, addressPrefix, tronicle } = config;
  const log = nodeLog.child({ part: 'peers' });
  const { counts } = node.peers;
  const signatures = new SignaturePool({ threads: tronicle.threads.signatures, addressPrefix });
  const self = { id: createNodeId(), ...ownHosts(config), port: settings.listen.port };
  const own = { hosts: [self.ipv4, self.ipv6, lanHost()].flatMap((host) => host ?? []), port: self.port };
  /** Resolves a list of nodes to dial. Removes this node, because a host name may resolve to it. */
  const othersOf = async (nodes: readonly HostPort[]): Promise<readonly HostPort[]> =>
    (await resolveHosts(nodes, log)).filter((node) => !isOwnEndpoint(node, own));
  const active = await othersOf(peers.active);
  const passive = await resolveHosts(peers.passive, log);
  const relayNodes = await othersOf(settings.fastForward);
  const seeds = [...config.seedNodes, ...readStoredNodes(node.dataDir, log), ...active];
  const release = peerRelease(tronicle.release, peerLimits(config));
  const discovery = settings.discovery.enable
    ? new Discovery({
        self: () => self,
        rules: release.transport,
        port: settings.listen.port,
        networkId: settings.p2p.version,
        seeds,
        bytes: (kind, count) => counts.bytes(kind, count),
        log,
        now: Date.now,
      })
    : undefined;
  const listed = new DnsNodes({
    urls: settings.dns.treeUrls,
    lookUp: textLookUp({ servers: tronicle.dns.servers, hasIpv4: () => self.ipv4 !== undefined }),
    log,
    now: Date.now,
  });
  const targetReached = (): void => node.stop();
  const local = new LedgerChain({
    chain,
    signatures,
    target,
    targetReached,
    blockReceived: (block) => node.blockReceived(block),
    observer: counts,
    unsolidifiedMax: unsolidifiedMaxOf(settings),
    log,
    now: clock.now,
  });
  const proofs = new ProofDatabase(node.dataDir, log);
  const ownVoters = votingKeys(config.witness.privateKeys, addressPrefix);
  const network = new PeerNetwork({
    chain: local,
    release,
    networkId: settings.p2p.version,
    self: () => self,
    listenPort: settings.listen.port,
    activeNodes: active,
    trustedHosts: passive.map(({ host }) => host),
    relayNodes,
    relayWitnesses: settings.maxFastForwardNum,
    isRelay: config.fastForward,
    witness: witnessOf(config.witness),
    isMaster: () => node.isMaster(),
    voting: {
      quorum: settings.agreeNodeCount,
      keysOf: (epochMs) => {
        if (!config.witness.enabled || !node.isMaster()) return [];
        const voters = local.votersOf(epochMs);
        return ownVoters.filter(({ address }) => voters.includes(address));
      },
      store: proofs,
      agreed: (raw, signatures) => {
        const { dataType, viewN } = raw;
        proofs.put(raw, encodeProof(raw, signatures));
        if (dataType !== DataType.BLOCK) return;
        node.voted.raise(Number(viewN));
        node.voted.keep(node.dataDir).catch((error: unknown) => {
          log.warn({ err: error }, 'height of the newest PBFT block not stored');
        });
        log.debug({ num: Number(viewN) }, 'PBFT quorum reached');
      },
    },
    candidates: () => discovery?.connectable() ?? [],
    listed: () => listed.nodes(),
    checksIsland: settings.effectiveCheckEnable,
    detects: settings.nodeDetectEnable,
    minConnections: settings.minConnections,
    minActiveConnections: settings.minActiveConnections,
    maxConnections: settings.maxConnections,
    maxConnectionsWithSameIp: settings.maxConnectionsWithSameIp,
    evictsWhenFull: settings.isOpenFullTcpDisconnect,
    syncFetchBatchNum: Number(settings.syncFetchBatchNum),
    blockCacheTimeoutMs: Number(settings.blockCacheTimeout) * MINUTE_MS,
    fetchBlockTimeoutMs: settings.fetchBlock.timeout,
    transactionsMax: settings.maxTps,
    observer: counts,
    log,
    now: Date.now,
  });
  node.peers.joined = {
    network,
    details: () => peerDetails({ network, self, tableNodes: discovery?.tableNodes().length ?? 0 }),
    nodes: () =>
      [...(discovery?.connectable() ?? []), ...listed.nodes()].flatMap(
        (found) => network.transport.targetOf(found) ?? [],
      ),
  };
  const proposer = new VoteProposer({
    chain,
    local,
    propose: (proposal) => network.propose(proposal),
    withdraw: (proposal) => network.withdraw(proposal),
  });
  node.announce = (block) => network.announceBlock(block);
  const stopReloading = settings.dynamicConfig.enable
    ? await reloadNodes({
        config,
        changed: async (lists) => {
          network.setActiveNodes(await othersOf(lists.active()));
          const trusted = await resolveHosts(lists.passive(), log);
          network.setTrustedHosts(trusted.map(({ host }) => host));
        },
        log,
      })
    : undefined;
  await network.start();
  const links = await startEncryptedLinks({ config, dataDir: node.dataDir, transport: network.transport, log });
  await discovery?.start();
  listed.start();
  const stopPublishing = await publishNodes({ config, self, discovered: () => discovery?.connectable() ?? [], log });
  const { persist } = settings.discovery;
  const traffic = setInterval(() => counts.second(), SECOND_MS);
  const stopStoring = discovery && persist ? storeNodes(node.dataDir, () => discovery.tableNodes(), log) : undefined;
  node.add({
    close: async () => {
      clearInterval(traffic);
      stopStoring?.();
      stopReloading?.();
      stopPublishing?.();
      discovery?.close();
      listed.close();
      node.announce = undefined;
      node.peers.joined = undefined;
      await links?.close();
      await network.close();
      proposer.close();
      local.close();
      await proofs.close();
      await signatures.close();
    },
  });
  return network;
}

/** Returns the identity of this node as a witness; undefined if it does not produce blocks. */
function witnessOf({ enabled, privateKeys, accountAddress }: WitnessConfig): WitnessIdentity | undefined {
  const [key] = privateKeys;
  if (!enabled || key === undefined || accountAddress === undefined) return undefined;
  return {
    address: fromHex(accountAddress),
    sign: (hash) => {
      const { signature, recid } = secp256k1.sign(hash, fromHex(key));
      return concatBytes(signature, Uint8Array.of(recid));
    },
  };
}
