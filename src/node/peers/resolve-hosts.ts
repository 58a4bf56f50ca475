import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import { type HostPort, plainHost } from '../../p2p/transport/node-address.js';

/** ms that the look-ups of one list may take together. Reference: InetUtil.DNS_LOOKUP_TIMEOUT_SECONDS. */
const LIST_MS = 10_000;

/** Address of a name. @throws where there is none */
export type LookUp = (name: string, family: 4 | 6) => Promise<string>;

const system: LookUp = async (name, family) => (await lookup(name, { family })).address;

/**
 * Nodes by address: who connects is known by it. A name that has none, or none in time, is left out.
 * Reference: InetUtil, InetSocketAddress.
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
      if (address === undefined) log.warn({ host }, 'a configured node has no address');
      return address === undefined ? [] : [{ host: address, port }];
    }),
  );
  isOver.abort();
  return found.flat();
}

/** The address that a name stands for, of IPv4 where it has one. */
export async function resolveHost(host: string, lookUp: LookUp = system): Promise<string | undefined> {
  if (isIP(host) !== 0) return plainHost(host);
  return lookUp(host, 4)
    .catch(() => lookUp(host, 6))
    .then(plainHost)
    .catch(() => undefined);
}
