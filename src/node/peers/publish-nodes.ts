import { isIPv4 } from 'node:net';
import type { Logger } from 'pino';
import type { NodeConfig } from '../../config/load-config.js';
import type { DnsPublish } from '../../config/rows/dns-rows.js';
import type { DnsZone } from '../../p2p/dns/publish/dns-zone.js';
import { TreePublisher } from '../../p2p/dns/publish/tree-publisher.js';
import type { HostPort, NodeAddress } from '../../p2p/transport/node-address.js';
import { loadOptional } from '../../primitives/optional-package.js';
import { resolveHosts } from './resolve-hosts.js';

/** npm packages of the DNS providers' SDKs, with the major version that the tests use. */
const ROUTE53_SDK = '@aws-sdk/client-route-53@3';
const ALIDNS_SDK = '@alicloud/pop-core@1';

interface PublishNodesOptions {
  readonly config: NodeConfig;
  readonly self: NodeAddress;
  /** Returns the nodes that discovery has found and that accept connections. */
  readonly discovered: () => readonly NodeAddress[];
  readonly log: Logger;
}

/**
 * Publishes the DNS tree of `node.dns.publish`. The tree contains the nodes of `node.dns.staticNodes`. If this list is
 * empty, it contains the discovered nodes and this node. Reference: PublishService.
 * @returns a function that stops publishing; undefined if nothing is published
 */
export async function publishNodes(options: PublishNodesOptions): Promise<(() => void) | undefined> {
  const { config, self, discovered, log } = options;
  const publish = config.node.dns.publish;
  if (publish === undefined) return undefined;
  if (self.ipv4 === undefined) {
    log.error('Must have IP v4 connection to publish dns service');
    return undefined;
  }
  const { domain, privateKey, knownUrls, maxMergeSize, changeThreshold, staticNodes } = publish;
  const isStatic = staticNodes.length > 0;
  const publisher = new TreePublisher({
    zone: await zoneOf(publish),
    domain,
    privateKey,
    nodes: async () => (isStatic ? (await resolveHosts(staticNodes, log)).map(addressOf) : [...discovered(), self]),
    isStatic,
    links: knownUrls,
    nodesPerLeaf: maxMergeSize,
    changeThreshold,
    log,
  });
  publisher.start();
  return () => publisher.close();
}

/** Loads the SDK of the DNS provider, which is not installed by default. @throws {UsageError} the SDK is missing */
async function zoneOf(publish: DnsPublish): Promise<DnsZone> {
  const { domain, accessKeyId, accessKeySecret, awsRegion, awsHostZoneId, aliyunEndpoint } = publish;
  const keys = { domain, accessKeyId, accessKeySecret };
  if (publish.server === 'aws') {
    const load = () => import('../../p2p/dns/publish/route53-zone.js');
    const { Route53Zone } = await loadOptional(ROUTE53_SDK, 'node.dns.serverType = aws', load);
    return new Route53Zone({ ...keys, region: awsRegion ?? '', zoneId: awsHostZoneId || undefined });
  }
  const load = () => import('../../p2p/dns/publish/alidns-zone.js');
  const { AlidnsZone } = await loadOptional(ALIDNS_SDK, 'node.dns.serverType = aliyun', load);
  return new AlidnsZone({ ...keys, endpoint: aliyunEndpoint ?? '' });
}

function addressOf({ host, port }: HostPort): NodeAddress {
  return isIPv4(host) ? { id: '', ipv4: host, ipv6: undefined, port } : { id: '', ipv4: undefined, ipv6: host, port };
}
