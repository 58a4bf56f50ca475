import { networkInterfaces } from 'node:os';
import type { NodeConfig } from '../../config/load-config.js';
import { plainHost } from '../../p2p/transport/node-address.js';

const LOOPBACK = '127.0.0.1';

/** Addresses that this node announces. */
interface OwnHosts {
  readonly ipv4: string | undefined;
  readonly ipv6: string | undefined;
}

/**
 * Returns the first IPv4 address of the machine's interfaces, at which nodes of the same local network reach this
 * node. Returns undefined without such an address. Reference: P2pConfig.lanIp, Args.bindIp
 */
export function lanHost(): string | undefined {
  return firstAddress('IPv4');
}

/** Returns the announced addresses. Peers require an address, but do not check that connections come from it. */
export function ownHosts(config: NodeConfig): OwnHosts {
  return { ipv4: ownIpv4(config), ipv6: config.node.enableIpv6 ? firstAddress('IPv6') : undefined };
}

/**
 * Returns `node.discovery.external.ip`, or else the first address of the machine's interfaces. java-tron first queries
 * a public service for its address.
 */
export function ownIpv4({ node }: NodeConfig): string {
  return node.discovery.external.ip?.trim() || lanHost() || LOOPBACK;
}

function firstAddress(family: 'IPv4' | 'IPv6'): string | undefined {
  const all = Object.values(networkInterfaces()).flatMap((list) => list ?? []);
  const found = all.find((address) => !address.internal && address.family === family && !isLinkLocal(address.address));
  return found && plainHost(found.address);
}

function isLinkLocal(address: string): boolean {
  return address.startsWith('fe80:') || address.startsWith('169.254.');
}
