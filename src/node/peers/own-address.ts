import { networkInterfaces } from 'node:os';
import type { NodeConfig } from '../../config/load-config.js';
import { plainHost } from '../../p2p/transport/node-address.js';

const LOOPBACK = '127.0.0.1';

/** What this node announces as its address, where nothing better is known. */
interface OwnHosts {
  readonly ipv4: string | undefined;
  readonly ipv6: string | undefined;
}

/** Under which nodes of the same network reach it. Reference: P2pConfig.lanIp, Args.bindIp */
export function lanHost(): string | undefined {
  return firstAddress('IPv4');
}

/**
 * `node.discovery.external.ip`, else the first address of the machine's interfaces. Peers check that there is one, not
 * that it is where the connection comes from. The reference asks a public service first.
 */
export function ownHosts({ node }: NodeConfig): OwnHosts {
  const external = node.discovery.external.ip?.trim() || undefined;
  return {
    ipv4: external ?? lanHost() ?? LOOPBACK,
    ipv6: node.enableIpv6 ? firstAddress('IPv6') : undefined,
  };
}

function firstAddress(family: 'IPv4' | 'IPv6'): string | undefined {
  const all = Object.values(networkInterfaces()).flatMap((list) => list ?? []);
  const found = all.find((address) => !address.internal && address.family === family && !isLinkLocal(address.address));
  return found && plainHost(found.address);
}

function isLinkLocal(address: string): boolean {
  return address.startsWith('fe80:') || address.startsWith('169.254.');
}
