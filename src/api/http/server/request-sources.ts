import type { IncomingHttpHeaders } from 'node:http';
import { isIP } from 'node:net';

interface SourceRules {
  /**
   * Origins of web pages that may read responses, in the form that browsers send, or `*` for all (`tronicle.api.cors`).
   */
  readonly origins: readonly string[];
  /**
   * Names and addresses of this node: `tronicle.api.hosts` and the listen addresses. Local names need not be listed.
   */
  readonly hosts: readonly string[];
  /** True if web pages on this machine may read responses, as on a private network. */
  readonly servesLocalPages: boolean;
}

type SourceHeaders = Pick<IncomingHttpHeaders, 'origin' | 'host'>;

/** Listen addresses that mean all network interfaces. */
const ALL_INTERFACES: ReadonlySet<string> = new Set(['0.0.0.0', '::']);

/**
 * Decides from which web pages the node accepts requests. A browser sends requests of any page to any address, even to
 * this machine. Programs other than browsers send no origin.
 *
 * `Origin` names the page. `Host` is the name under which the page addresses the node. If `Host` is a foreign name, an
 * attacker may have pointed the page's DNS name to this machine (DNS rebinding).
 */
export class RequestSources {
  private readonly origins: ReadonlySet<string>;
  private readonly hosts: ReadonlySet<string>;
  private readonly servesLocalPages: boolean;
  /** True if pages of any origin may read responses. */
  readonly isOpen: boolean;

  constructor({ origins, hosts, servesLocalPages }: SourceRules) {
    this.origins = new Set(origins);
    this.hosts = new Set(hosts.map((host) => host.toLowerCase()));
    this.servesLocalPages = servesLocalPages;
    this.isOpen = this.origins.has('*');
  }

  /** True if web pages of at least one other origin may read responses. */
  get servesPages(): boolean {
    return this.origins.size > 0 || this.servesLocalPages;
  }

  /** Returns true if a page of the origin may read responses. */
  mayRead(origin: string): boolean {
    return this.isOpen || this.origins.has(origin) || (this.servesLocalPages && isLocalOrigin(origin));
  }

  /**
   * Returns true if a request may open a WebSocket. The check is necessary, because any web page could read responses
   * over a WebSocket.
   */
  mayConnect({ origin, host }: SourceHeaders): boolean {
    return origin === undefined || isLocalOrigin(origin) || this.mayRead(origin) || isOwnOrigin(origin, host);
  }

  /**
   * Returns true if `Host` names this node. If the node listens on all interfaces, accepts any IP address, because DNS
   * rebinding needs a name.
   */
  isOwnHost(host: string | undefined): boolean {
    if (host === undefined || isLocalHost(host)) return true;
    const name = hostName(host);
    if (name === undefined) return false;
    const listensOnAll = [...ALL_INTERFACES].some((address) => this.hosts.has(address));
    return this.hosts.has(name) || (listensOnAll && isIP(name) !== 0);
  }

  /**
   * Returns the reason why a request is rejected whose `Host` does not name this node, as a sentence for the client;
   * undefined if the request is accepted.
   */
  hostRefusal(host: string | undefined): string | undefined {
    return this.isOwnHost(host) ? undefined : `host ${host} is not a name of this node; add it to tronicle.api.hosts`;
  }

  /**
   * Returns the reason why a request must not change the network, as a sentence for the client; undefined if the
   * request may change it.
   */
  changeRefusal(headers: SourceHeaders): string | undefined {
    const foreign = this.hostRefusal(headers.host);
    if (foreign !== undefined || this.mayConnect(headers)) return foreign;
    return `pages of ${headers.origin} must not change this network; see tronicle.api.cors`;
  }
}

/** Rules of a server without configuration. Only web pages of this machine may send changes or open a WebSocket. */
export const LOCAL_SOURCES = new RequestSources({ origins: [], hosts: [], servesLocalPages: false });

/** Returns true for a JSON content type. A browser sends this type to another origin only if that server allows it. */
export function isJsonType(type: string | undefined): boolean {
  return /^application\/json\s*(;|$)/i.test(type ?? '');
}

function isLocalOrigin(origin: string): boolean {
  const host = /^https?:\/\/([^/]+)$/i.exec(origin)?.[1];
  return host !== undefined && isLocalHost(host);
}

/** Returns true if the host of the origin equals the header `Host`, so this node served the web page. */
function isOwnOrigin(origin: string, host: string | undefined): boolean {
  return host !== undefined && origin.replace(/^https?:\/\//i, '').toLowerCase() === host.toLowerCase();
}

/** Returns true for `localhost`, its subdomains, 127.0.0.0/8 and ::1, with or without a port. */
export function isLocalHost(host: string): boolean {
  const name = hostName(host);
  if (name === undefined) return false;
  return /^(?:.+\.)?localhost$/.test(name) || (isIP(name) === 4 && name.startsWith('127.')) || name === '::1';
}

/**
 * Returns the name or address of a `Host` header in lower case, without the port; undefined if the header is malformed.
 */
function hostName(host: string): string | undefined {
  const [, address, name] = /^(?:\[([0-9a-f:.]+)\]|([^:[\]]+))(?::\d*)?$/i.exec(host) ?? [];
  return (address ?? name?.replace(/\.$/, ''))?.toLowerCase();
}
