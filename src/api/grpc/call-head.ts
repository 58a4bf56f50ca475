import type { IncomingHttpHeaders, OutgoingHttpHeaders } from 'node:http2';
import type { GrpcFaultRules } from '../releases/api-release.js';
import { type GrpcReply, GrpcStatus, refusal } from './grpc-reply.js';
import type { Fault } from './incoming-message.js';

/** What the head of a call says. */
export interface CallHead {
  /** Whether messages may be packed. */
  readonly isPacked: boolean;
  /** ms after which nobody waits any more. */
  readonly timeoutMs: number | undefined;
}

/** Answer to a request over HTTP/2 that is no call: the text is its body, too. */
interface NoCall {
  readonly headers: OutgoingHttpHeaders;
  readonly body: string;
}

const GRPC_TYPE = /^application\/grpc(?:$|[+;])/i;

/** Undefined for a request that is a call. Reference: NettyServerHandler.onHeadersRead. */
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
 * How a call ends whose head cannot be read; `failed`: with the reset of an error.
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
 * What a call said of itself, as it comes back where a call is refused by its name.
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

/** NaN for what is none. Reference: GrpcUtil.TimeoutMarshaller. */
function readTimeoutMs(text: string): number {
  const [, count, unit = ''] = /^([+-]?\d{1,8})([HMSmun])$/.exec(text) ?? [];
  return text.length > 9 || count === undefined ? Number.NaN : Number(count) * (UNIT_MS[unit] ?? Number.NaN);
}

/** Of letters in a head that is packed, about. */
const PACKED_PART = 0.75;
/** What a peer may send beyond the limit before its connection ends. */
const CONNECTION_PART = 1.25;
/** What HTTP/2 counts for each pair beside its letters. */
const PAIR_BYTES = 32;

/**
 * Whether a head is longer than a peer was told it may be: `call` for one that is refused, `connection` where nothing
 * more is taken. The reference decides the latter by the packed bytes, which are not known here. Reference: Netty's
 * HpackDecoder, DefaultHttp2FrameReader
 * @param pairs names and values in turn @param bytesMax `node.rpc.maxHeaderListSize`
 */
export function headExcess(pairs: readonly string[], bytesMax: number): 'call' | 'connection' | undefined {
  let letters = 0;
  for (const text of pairs) letters += text.length;
  if (letters + (pairs.length / 2) * PAIR_BYTES <= bytesMax) return undefined;
  return letters * PACKED_PART > bytesMax * CONNECTION_PART ? 'connection' : 'call';
}
