import { randomBytes } from 'node:crypto';
import { isIPv6 } from 'node:net';
import { Endpoint } from '../../codec/generated/messages.js';
import { itemAt } from '../../primitives/assert.js';
import { toHex, toUtf8, utf8 } from '../../primitives/bytes.js';

/** Size of a node id, in bytes. The id is random, new at every start, and not a key. */
export const NODE_ID_BYTES = 64;

/** Network addresses of a node, with the id that it announces. */
export interface NodeAddress {
  /** Node id, 64 bytes in hex. */
  readonly id: string;
  readonly ipv4: string | undefined;
  readonly ipv6: string | undefined;
  readonly port: number;
}

/** Address and port of one end of a connection. */
export interface HostPort {
  readonly host: string;
  readonly port: number;
}

export function createNodeId(): string {
  return toHex(randomBytes(NODE_ID_BYTES));
}

export function hostPortKey({ host, port }: HostPort): string {
  return `${host}|${port}`;
}

/**
 * Returns the canonical form of an address: IPv4 without the IPv6 mapping, IPv6 with all eight groups and without a
 * zone. Reference: InetAddress.getHostAddress
 */
export function plainHost(host: string): string {
  const plain = itemAt((host.startsWith('::ffff:') && host.includes('.') ? host.slice(7) : host).split('%'), 0);
  return isIPv6(plain) ? longIpv6(plain) : plain;
}

/** Returns the form of an address that an IPv6 socket accepts. */
export function mappedHost(host: string): string {
  return isIPv6(host) ? host : `::ffff:${host}`;
}

function longIpv6(text: string): string {
  const { hostname } = new URL(`http://[${text}]`);
  const [head = '', tail] = hostname.slice(1, -1).split('::');
  const groups = (part: string): string[] => (part === '' ? [] : part.split(':'));
  const [first, last] = [groups(head), groups(tail ?? '')];
  const zeros = tail === undefined ? 0 : 8 - first.length - last.length;
  return [...first, ...new Array<string>(zeros).fill('0'), ...last].join(':');
}

/** Returns the protobuf form of an address. Addresses are encoded as ASCII text. */
export function toEndpoint({ id, ipv4, ipv6, port }: NodeAddress): Endpoint {
  return Object.assign(new Endpoint(), {
    address: utf8(ipv4 ?? ''),
    port,
    nodeId: Buffer.from(id, 'hex'),
    addressIpv6: utf8(ipv6 ?? ''),
  });
}

/** Decodes an address. Does not check it, see {@link isValidEndpoint}. Reference: NetUtil.getNode, Node.formatHostV6 */
export function fromEndpoint({ address, port, nodeId, addressIpv6 }: Endpoint): NodeAddress {
  return {
    id: toHex(nodeId),
    ipv4: toUtf8(address) || undefined,
    ipv6: plainHost(toUtf8(addressIpv6)) || undefined,
    port,
  };
}

/**
 * Removes an invalid IPv6 address from an endpoint. Reference: Node.formatHostV6 of TRON's Java library libp2p 2.2.8.
 */
export function dropWrongIpv6(endpoint: Endpoint | undefined): void {
  if (endpoint !== undefined && !isResolvable(toUtf8(endpoint.addressIpv6))) endpoint.addressIpv6 = new Uint8Array(0);
}

/**
 * Returns true if Java accepts the text as an IPv6 address. A zone must be numeric, because a zone name depends on the
 * local interfaces.
 */
function isResolvable(ipv6: string): boolean {
  return isIPv6(ipv6) && !/%.*\D/.test(ipv6);
}

/**
 * Returns true for a valid IPv6 address. An IPv4-mapped address is not valid, because Java converts it to IPv4.
 * Reference: Node.formatHostV6, NetUtil.validIpV6.
 */
function isValidIpv6(ipv6: string, port: number): boolean {
  if (!isResolvable(ipv6) || port < 0 || port > PORT_MAX) return false;
  const { hostname } = new URL(`http://[${itemAt(ipv6.split('%'), 0)}]`);
  return !MAPPED_IPV4.test(hostname);
}

/** Returns true if an endpoint is valid. Reference: NetUtil.validNode. @param matchesWhole see `TransportRules` */
export function isValidEndpoint(endpoint: Endpoint | undefined, matchesWhole = false): endpoint is Endpoint {
  if (endpoint === undefined || endpoint.nodeId.length !== NODE_ID_BYTES) return false;
  const [ipv4, ipv6] = [toUtf8(endpoint.address), toUtf8(endpoint.addressIpv6)];
  if (ipv4 === '' && ipv6 === '') return false;
  return (
    (ipv4 === '' || IPV4.test(matchesWhole ? ipv4 : ipv4.replace(LINE_END, ''))) &&
    (ipv6 === '' || isValidIpv6(ipv6, endpoint.port))
  );
}

export const PORT_MAX = 65_535;
const MAPPED_IPV4 = /^\[::ffff:[0-9a-f]+:[0-9a-f]+]$/;
const OCTET = '(1\\d{2}|2[0-4]\\d|25[0-5]|[1-9]\\d|\\d)';
const FIRST_OCTET = '(1\\d{2}|2[0-4]\\d|25[0-5]|[1-9]\\d|[1-9])';
/** Line terminators that Java's `$` ignores at the end of a text. */
const LINE_END = /(\r\n|[\n\r\u0085\u2028\u2029])$/;
/** Pattern of an IPv4 address. Reference: NetUtil.PATTERN_IPv4. */
const IPV4 = new RegExp(`^${FIRST_OCTET}(\\.${OCTET}){3}$`);
