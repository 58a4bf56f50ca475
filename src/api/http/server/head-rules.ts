import type { IncomingMessage } from 'node:http';
import { badMessage, type HttpAnswer } from '../error-pages.js';

/**
 * Returns the refusal of request headers that Node accepts but Jetty refuses; undefined if Jetty accepts them.
 * Reference: Jetty's HttpParser, HttpChannelOverHttp.headerComplete.
 */
export function headRefusal({ httpVersion, headers }: IncomingMessage): HttpAnswer | undefined {
  const { host, upgrade, connection, 'transfer-encoding': coding } = headers;
  if (!VERSIONS.has(httpVersion)) return badMessage(505, 'Unsupported Version');
  if (host !== undefined && !isHostPort(host)) return badMessage(400, 'Bad HostPort');
  if (httpVersion === '2.0') return badMessage(426, 'Upgrade Required');
  if (coding !== undefined && !/(?:^|,)\s*chunked\s*$/i.test(coding))
    return badMessage(400, 'Bad Transfer-Encoding, chunked not last');
  if (httpVersion === '1.0') return undefined;
  if (host === undefined) return badMessage(400, 'No Host');
  if (headers.expect !== undefined && !isKnownExpectation(headers.expect)) return badMessage(417, 'Expectation Failed');
  if (upgrade !== undefined && !/(?:^|,)\s*upgrade\s*(?:,|$)/i.test(connection ?? ''))
    return badMessage(400, 'Bad Request');
  return undefined;
}

const VERSIONS = new Set(['1.0', '1.1', '2.0']);

const EXPECTATIONS = new Set(['100-continue', '102-processing', '']);

function isKnownExpectation(text: string): boolean {
  return text.split(',').every((part) => EXPECTATIONS.has(part.trim().toLowerCase()));
}

/** Checks a host with port. More than one colon means an IPv6 address. Reference: org.eclipse.jetty.util.HostPort */
function isHostPort(text: string): boolean {
  const port = text.startsWith('[') ? /^\[.*\](?::(.*))?$/.exec(text) : /^[^:]*(?::([^:]*))?$/.exec(text);
  if (port === null) return !text.startsWith('[');
  const [, digits] = port;
  return digits === undefined || (/^\d+$/.test(digits) && Number(digits) > 0 && Number(digits) <= 65_535);
}
