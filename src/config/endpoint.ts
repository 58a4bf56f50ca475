import { UsageError } from '../primitives/errors.js';

/** Address of a node in a configuration value. */
export interface Endpoint {
  readonly host: string;
  readonly port: number;
}

/**
 * Parses `host:port`. Reference: NetUtil.parseInetSocketAddress, Integer.parseInt.
 * @throws {UsageError} the text is malformed; the error has java-tron's text and the key
 */
export function parseEndpoint(text: string, key: string): Endpoint {
  const colon = text.trim().lastIndexOf(':');
  const bracketed = /^\[(.*)\]$/.exec(text.slice(0, Math.max(colon, 0)));
  const host = bracketed?.[1] ?? text.slice(0, Math.max(colon, 0));
  const port = text.slice(colon + 1);
  const wrong = colon <= 0 || (bracketed === null && host.includes(':'));
  if (wrong || !/^\+?\d+$/.test(port) || Number(port) > 65535)
    throw new UsageError(`Invalid inetSocketAddress: "${text}", use ipv4:port or [ipv6]:port (${key})`);
  return { host: hostAsJavaReads(host), port: Number(port) };
}

/**
 * Returns the host as Java reads it. Java reads the parts of an IPv4 address as decimal numbers, even with leading
 * zeros, but the system reads such parts as octal numbers. An empty host is this machine. Reference:
 * InetAddress.getByName.
 */
function hostAsJavaReads(host: string): string {
  if (host === '') return 'localhost';
  const parts = host.split('.');
  const isAddress = parts.length === 4 && parts.every((part) => /^\d{1,3}$/.test(part) && Number(part) < 256);
  return isAddress ? parts.map(Number).join('.') : host;
}

/**
 * Returns true for an endpoint of this node, to which the node must not connect. Reference: Args.getInetSocketAddress.
 */
export function isOwnEndpoint({ host, port }: Endpoint, own: { hosts: readonly string[]; port: number }): boolean {
  return port === own.port && [...own.hosts, '127.0.0.1'].includes(host);
}
