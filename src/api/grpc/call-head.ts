import { constants, type IncomingHttpHeaders, type OutgoingHttpHeaders } from 'node:http2';
import type { GrpcFaultRules } from '../releases/api-release.js';
import { GrpcStatus, refusal } from './grpc-reply.js';
import type { CallEnd } from './server-call.js';

/** Options of a call, read from its headers. */
export interface CallHead {
  /** True if the client may compress messages. */
  readonly isPacked: boolean;
  /** Time limit of the client in ms after the start of the call; undefined if the client sets none. */
  readonly timeoutMs: number | undefined;
}

const GRPC_TYPE = /^application\/grpc(?:$|[+;])/i;
/** Number of bytes that HTTP/2 adds per header field when it computes the size of headers. */
const PAIR_BYTES = 32;

/**
 * Returns the response to an HTTP/2 request that is not a gRPC call, or whose headers are too large. Returns undefined
 * for a valid call. Reference: NettyServerHandler.onHeadersRead
 * @param pairs names and values of the headers as received, alternating
 * @param bytesMax limit of `node.rpc.maxHeaderListSize`
 */
export function httpRefusal(
  headers: IncomingHttpHeaders,
  pairs: readonly string[],
  bytesMax: number,
): OutgoingHttpHeaders | undefined {
  let bytes = (pairs.length / 2) * PAIR_BYTES;
  for (const text of pairs) bytes += text.length;
  if (bytes > bytesMax) return { ':status': 431 };
  const { ':method': method = '', 'content-type': type } = headers;
  if (type === undefined) return refused(415, 'Content-Type is missing from the request');
  if (!GRPC_TYPE.test(type)) return refused(415, `Content-Type '${type}' is not supported`);
  return method === 'POST' ? undefined : refused(405, `Method '${method}' is not supported`);
}

function refused(status: number, text: string): OutgoingHttpHeaders {
  return { ':status': status, 'grpc-status': GrpcStatus.INTERNAL, 'grpc-message': text };
}

/**
 * Reads the headers of a call. If they are invalid, returns the status or reset code that ends the call. Reference:
 * ServerImpl.streamCreated
 */
export function readHead(headers: IncomingHttpHeaders, { reportsFaults }: GrpcFaultRules): CallHead | CallEnd {
  const encoding = String(headers['grpc-encoding'] ?? 'identity');
  if (encoding !== 'gzip' && encoding !== 'identity') {
    if (!reportsFaults) return constants.NGHTTP2_INTERNAL_ERROR;
    return refusal(GrpcStatus.UNIMPLEMENTED, `Can't find decompressor for ${encoding}`);
  }
  const timeout = headers['grpc-timeout'];
  const timeoutMs = timeout === undefined ? undefined : readTimeoutMs(String(timeout));
  return Number.isNaN(timeoutMs) ? constants.NGHTTP2_INTERNAL_ERROR : { isPacked: encoding === 'gzip', timeoutMs };
}

/**
 * Returns the request headers that must be repeated in the response to a rejected call. Reference:
 * Utils.convertServerHeaders
 */
export function echoOf(headers: IncomingHttpHeaders): OutgoingHttpHeaders {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !name.startsWith(':') && !NOT_ECHOED.has(name)));
}

const NOT_ECHOED = new Set(['content-type', 'te', 'user-agent', 'host']);

const UNIT_MS: Readonly<Record<string, number>> = {
  H: 3_600_000,
  M: 60_000,
  S: 1000,
  m: 1,
  u: 0.001,
  n: 0.000_001,
};

/** Parses a timeout in milliseconds; NaN if it is malformed. Reference: GrpcUtil.TimeoutMarshaller */
function readTimeoutMs(text: string): number {
  const [, count, unit = ''] = /^(\d{1,8})([HMSmun])$/.exec(text) ?? [];
  return Number(count) * (UNIT_MS[unit] ?? Number.NaN);
}
