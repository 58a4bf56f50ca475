import type { IncomingHttpHeaders, OutgoingHttpHeaders } from 'node:http2';
import type { GrpcFaultRules } from '../releases/api-release.js';
import { type GrpcReply, GrpcStatus, refusal } from './grpc-reply.js';
import type { Fault } from './incoming-message.js';

/** Options of a call, read from its headers. */
export interface CallHead {
  /** True if messages may be compressed. */
  readonly isPacked: boolean;
  /** Deadline of the caller, in milliseconds after the start of the call; undefined: no deadline. */
  readonly timeoutMs: number | undefined;
}

/** Response to an HTTP/2 request that is not a gRPC call. Its text is also the response body. */
interface NoCall {
  readonly headers: OutgoingHttpHeaders;
  readonly body: string;
}

const GRPC_TYPE = /^application\/grpc(?:$|[+;])/i;

/**
 * Returns the response to a request that is not a gRPC call, or undefined for a gRPC call.
 * Reference: NettyServerHandler.onHeadersRead.
 */
export function noCall(headers: IncomingHttpHeaders, rules: GrpcFaultRules): NoCall | undefined {
  const { ':method': method = '', 'content-type': type } = headers;
  if (type === undefined) return refused(415, 'Content-Type is missing from the request', rules);
  if (!GRPC_TYPE.test(type)) return refused(415, `Content-Type '${type}' is not supported`, rules);
  if (method !== 'POST') return refused(405, `Method '${method}' is not supported`, rules);
  return undefined;
}

function refused(status: number, text: string, { tellsFaults }: GrpcFaultRules): NoCall {
  const headers = {
    ':status': status,
    'grpc-status': String(GrpcStatus.INTERNAL),
    'grpc-message': text,
    ...(tellsFaults && status === 405 && { allow: 'POST' }),
    'content-type': tellsFaults ? 'text/plain; charset=utf-8' : 'text/plain; encoding=utf-8',
  };
  return { headers, body: text };
}

/**
 * Reads the headers of a call. If they are invalid, returns how to end the call. The value `failed` means that the
 * stream is reset with an error.
 * Reference: ServerImpl.streamCreated.
 */
export function readHead(headers: IncomingHttpHeaders, { tellsFaults }: GrpcFaultRules): CallHead | Fault | 'failed' {
  const encoding = headers['grpc-encoding'] ?? 'identity';
  if (encoding !== 'gzip' && encoding !== 'identity') return tellsFaults ? noDecompressor(String(encoding)) : 'failed';
  const timeout = headers['grpc-timeout'];
  const timeoutMs = timeout === undefined ? undefined : readTimeoutMs(String(timeout));
  return Number.isNaN(timeoutMs) ? 'failed' : { isPacked: encoding === 'gzip', timeoutMs };
}

/**
 * Returns the request headers that the response to an unknown method repeats.
 * Reference: Utils.convertServerHeaders
 */
export function echoOf(headers: IncomingHttpHeaders): OutgoingHttpHeaders {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !name.startsWith(':') && !NOT_ECHOED.has(name)));
}

const NOT_ECHOED = new Set(['content-type', 'te', 'user-agent', 'host']);

function noDecompressor(encoding: string): GrpcReply {
  return refusal(GrpcStatus.UNIMPLEMENTED, encoding === '' ? '' : `Can't find decompressor for ${encoding}`);
}

const UNIT_MS: Readonly<Record<string, number>> = {
  H: 3_600_000,
  M: 60_000,
  S: 1000,
  m: 1,
  u: 0.001,
  n: 0.000_001,
};

/** Parses a timeout in milliseconds; NaN if it is malformed. Reference: GrpcUtil.TimeoutMarshaller. */
function readTimeoutMs(text: string): number {
  const [, count, unit = ''] = /^([+-]?\d{1,8})([HMSmun])$/.exec(text) ?? [];
  return text.length > 9 || count === undefined ? Number.NaN : Number(count) * (UNIT_MS[unit] ?? Number.NaN);
}

/** Estimated ratio of the size of compressed headers to their number of characters. */
const PACKED_PART = 0.75;
/** Ratio of the header size to the limit above which the whole connection is closed. */
const CONNECTION_PART = 1.25;
/** Size that HTTP/2 adds for each header field when it computes the size of headers, in bytes. */
const PAIR_BYTES = 32;

/**
 * Checks the size of request headers against the limit. Returns `call` to reject the call, `connection` to close the
 * connection. In java-tron the compressed size decides about the connection. It is not known here, so it is estimated.
 * Reference: Netty's HpackDecoder, DefaultHttp2FrameReader
 * @param pairs names and values of the headers, alternating
 * @param bytesMax limit of `node.rpc.maxHeaderListSize`
 */
export function headExcess(pairs: readonly string[], bytesMax: number): 'call' | 'connection' | undefined {
  let letters = 0;
  for (const text of pairs) letters += text.length;
  if (letters + (pairs.length / 2) * PAIR_BYTES <= bytesMax) return undefined;
  return letters * PACKED_PART > bytesMax * CONNECTION_PART ? 'connection' : 'call';
}
