import { Resolver } from 'node:dns/promises';
import { itemAt } from '../../primitives/assert.js';
import type { LookUpText } from './dns-tree.js';

/** Public DNS servers, by the address family of this node. Reference: LookUpTxt. */
const PUBLIC_SERVERS = {
  ipv4: [
    ...['114.114.114.114', '114.114.115.115', '223.5.5.5', '223.6.6.6', '119.29.29.29', '117.50.11.11', '117.50.22.22'],
    ...['101.226.4.6', '218.30.118.6', '123.125.81.6', '140.207.198.6', '8.8.8.8', '8.8.4.4', '9.9.9.9'],
  ],
  ipv6: [
    ...['2606:4700:4700::1111', '2606:4700:4700::1001', '2400:3200::1', '2400:3200:baba::1', '2a00:5a60::ad1:0ff'],
    ...['2a00:5a60::ad2:0ff', '2620:74:1b::1:1', '2620:74:1c::2:2', '2a02:6b8::feed:0ff', '2a02:6b8:0:1::feed:0ff'],
    ...['2001:4860:4860::8888', '2001:4860:4860::8844', '2620:fe::fe', '2620:fe::9'],
  ],
};
/** Maximum number of queries for a name. Each query goes to a random server. */
const QUERIES_MAX = 5;
/** Time limit for the answer of one server, in ms. */
const ANSWER_MS = 1000;

interface LookUpOptions {
  /**
   * DNS servers, with a port if it is not 53. If the list is empty, public servers are used. Configured by
   * `tronicle.dns.servers`.
   */
  readonly servers: readonly string[];
  readonly hasIpv4: () => boolean;
  /** Returns a random number from 0 to 1. Set only by tests. */
  readonly random?: () => number;
}

/**
 * Returns a resolver of TXT records. Each attempt queries a random server. The resolver makes up to QUERIES_MAX
 * attempts, until a server answers with a record. Reference: LookUpTxt.lookUpTxt.
 */
export function textLookUp({ servers, hasIpv4, random = Math.random }: LookUpOptions): LookUpText {
  return async (name) => {
    const all = servers.length > 0 ? servers : PUBLIC_SERVERS[hasIpv4() ? 'ipv4' : 'ipv6'];
    for (let query = 0; query < QUERIES_MAX; query++) {
      const resolver = new Resolver({ timeout: ANSWER_MS, tries: 1 });
      resolver.setServers([itemAt(all, Math.floor(random() * all.length))]);
      try {
        return (await resolver.resolveTxt(name)).at(-1);
      } catch {
        // Continues with another random server, which may have the record.
      }
    }
    return undefined;
  };
}
