import type { IncomingHttpHeaders } from 'node:http';
import { isIP } from 'node:net';

interface SourceRules {
  /** Configured origins as browsers write them, or `*` for any (`tronicle.api.cors`). */
  readonly origins: readonly string[];
  /** Names and addresses of this node, in addition to the local ones (`tronicle.api.hosts`, listen addresses). */
  readonly hosts: readonly string[];
  /** True if pages of this machine may read responses, as on a private network. */
  readonly servesLocalPages: boolean;
}

type SourceHeaders = Pick<IncomingHttpHeaders, 'origin' | 'host'>;

/** Addresses of a listener on all interfaces. */
const ALL_INTERFACES: ReadonlySet<string> = new Set(['0.0.0.0', '::']);

/**
 * Decides from which web pages the node takes requests. A browser sends requests of any page to any address, also to
 * this machine, and names the page in `Origin`. `Host` has the name under which the page knows the node: a foreign name
 * there shows a DNS name that was pointed to this machine (DNS rebinding). Programs other than browsers send no origin.
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

  /** True if pages of some other origin may read responses. */
  get servesPages(): boolean {
    return this.origins.size > 0 || this.servesLocalPages;
  }

  /** Returns true if a page of the origin may read responses. */
  mayRead(origin: string): boolean {
    return this.isOpen || this.origins.has(origin) || (this.servesLocalPages && isLocalOrigin(origin));
  }

  /** Returns true if a request may open a connection that the page then reads: a WebSocket. */
  mayConnect({ origin, host }: SourceHeaders): boolean {
    return origin === undefined || isLocalOrigin(origin) || this.mayRead(origin) || isOwnOrigin(origin, host);
  }

  /**
   * Returns true if the request names this node. An IP address suffices if the node listens on all interfaces, because
   * DNS rebinding needs a name.
   */
  isOwnHost(host: string | undefined): boolean {
    if (host === undefined || isLocalHost(host)) return true;
    const name = hostName(host);
    if (name === undefined) return false;
    const listensOnAll = [...ALL_INTERFACES].some((address) => this.hosts.has(address));
    return this.hosts.has(name) || (listensOnAll && isIP(name) !== 0);
  }

  /** Returns the reason why a request that names another host is refused, as a sentence for its sender. */
  hostRefusal(host: string | undefined): string | undefined {
    return this.isOwnHost(host) ? undefined : `host ${host} is not a name of this node; add it to tronicle.api.hosts`;
  }

  /** Returns the reason why a request must not change the network, as a sentence for its sender; else undefined. */
  changeRefusal(headers: SourceHeaders): string | undefined {
    const foreign = this.hostRefusal(headers.host);
    if (foreign !== undefined || this.mayConnect(headers)) return foreign;
    return `pages of ${headers.origin} must not change this network; see tronicle.api.cors`;
  }
}

/** Sources for a server without configuration: only this machine. */
export const LOCAL_SOURCES = new RequestSources({ origins: [], hosts: [], servesLocalPages: false });

/** Returns true for a content type that a page of another origin cannot send before the server has allowed it. */
export function isJsonType(type: string | undefined): boolean {
  return /^application\/json\s*(;|$)/i.test(type ?? '');
}

function isLocalOrigin(origin: string): boolean {
  const host = /^https?:\/\/([^/]+)$/i.exec(origin)?.[1];
  return host !== undefined && isLocalHost(host);
}

/** Returns true for a page of this node, under the name that the request uses. */
function isOwnOrigin(origin: string, host: string | undefined): boolean {
  return host !== undefined && origin.replace(/^https?:\/\//i, '').toLowerCase() === host.toLowerCase();
}

/** Returns true for `localhost`, its subdomains, 127.0.0.0/8 and ::1, with or without a port. */
export function isLocalHost(host: string): boolean {
  const name = hostName(host);
  if (name === undefined) return false;
  return /^(?:.+\.)?localhost$/.test(name) || (isIP(name) === 4 && name.startsWith('127.')) || name === '::1';
}

/** Returns the name or address of a `Host` header in lower case, without the port; undefined if malformed. */
function hostName(host: string): string | undefined {
  const [, address, name] = /^(?:\[([0-9a-f:.]+)\]|([^:[\]]+))(?::\d*)?$/i.exec(host) ?? [];
  return (address ?? name?.replace(/\.$/, ''))?.toLowerCase();
}
