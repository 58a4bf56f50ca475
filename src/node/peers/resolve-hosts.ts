import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import { type HostPort, plainHost } from '../../p2p/transport/node-address.js';

/** Time limit for the DNS queries of one list, in ms. Reference: InetUtil.DNS_LOOKUP_TIMEOUT_SECONDS. */
const LIST_MS = 10_000;

/** Resolves a host name to an address. @throws the name has no address of that family */
export type LookUp = (name: string, family: 4 | 6) => Promise<string>;

const system: LookUp = async (name, family) => (await lookup(name, { family })).address;

/**
 * Resolves host names of nodes to IP addresses, because connections are identified by IP address. Omits a name that has
 * no address, or whose query times out. Reference: InetUtil, InetSocketAddress.
 */
export async function resolveHosts(
  nodes: readonly HostPort[],
  log: Logger,
  { lookUp = system, ms = LIST_MS }: { readonly lookUp?: LookUp; readonly ms?: number } = {},
): Promise<readonly HostPort[]> {
  const isOver = new AbortController();
  const late = sleep(ms, undefined, { signal: isOver.signal }).catch(() => undefined);
  const found = await Promise.all(
    nodes.map(async ({ host, port }) => {
      const address = await Promise.race([resolveHost(host, lookUp), late]);
      if (address === undefined) log.warn({ host }, 'host name of a configured node not resolved');
      return address === undefined ? [] : [{ host: address, port }];
    }),
  );
  isOver.abort();
  return found.flat();
}

/** Returns the IPv4 address of a host name, or else its IPv6 address. Returns undefined if it has neither. */
export async function resolveHost(host: string, lookUp: LookUp = system): Promise<string | undefined> {
  if (isIP(host) !== 0) return plainHost(host);
  return lookUp(host, 4)
    .catch(() => lookUp(host, 6))
    .then(plainHost)
    .catch(() => undefined);
}
