import type { IncomingMessage } from 'node:http';

/** Body of a request, if it was stored. */
export interface RequestBody {
  /** Undefined if the body was larger than the stored maximum. */
  readonly bytes: Uint8Array | undefined;
  /** True if the body exceeds the configured limit and must be refused. */
  readonly isTooLarge: boolean;
  /** True if the body did not arrive in time. */
  readonly isLate?: boolean;
}

export const LATE_BODY: RequestBody = { bytes: new Uint8Array(0), isTooLarge: false, isLate: true };

/** Maximum stored size for handlers that do not check the body size, in bytes. */
const UNCHECKED_BYTES_MAX = 16 * 1024 * 1024;

/** Returns the value of the Content-Length header; 0 if absent. */
export function contentLengthOf({ headers }: IncomingMessage): number {
  return Number(headers['content-length'] ?? 0);
}

/** Returns true if the headers announce a body. */
export function hasBody(request: IncomingMessage): boolean {
  return contentLengthOf(request) > 0 || isChunked(request);
}

/**
 * Reads the body of a request. Does not call `done` if the connection ends before the body is complete.
 * @param limit bytes
 */
export function readBody(request: IncomingMessage, limit: number | undefined, done: (body: RequestBody) => void): void {
  if (!isChunked(request) && contentLengthOf(request) <= UNCHECKED_BYTES_MAX) readShort(request, done);
  else readLong(request, limit).then(done, () => request.destroy());
}

function isChunked({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined;
}

/** Reads a body whose Content-Length is below the limit. It needs no size check for each chunk. */
function readShort(request: IncomingMessage, done: (body: RequestBody) => void): void {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => done({ bytes: joined(chunks), isTooLarge: false }));
  request.on('error', () => request.destroy());
}

async function readLong(chunks: AsyncIterable<Buffer>, limit: number | undefined): Promise<RequestBody> {
  const kept: Buffer[] = [];
  let size = 0;
  for await (const chunk of chunks) {
    size += chunk.length;
    if (limit !== undefined && size > limit) return { bytes: undefined, isTooLarge: true };
    if (size > UNCHECKED_BYTES_MAX) kept.length = 0;
    else kept.push(chunk);
  }
  return { bytes: size > UNCHECKED_BYTES_MAX ? undefined : joined(kept), isTooLarge: false };
}

function joined(chunks: readonly Buffer[]): Buffer {
  const [one, more] = chunks;
  return one !== undefined && more === undefined ? one : Buffer.concat(chunks);
}
