import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ByteBudget, ByteShare, DropReason } from '../../../primitives/byte-budget.js';
import { GrowingBytes } from '../../../primitives/growing-bytes.js';

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

/** Size in bytes from which a body that does not arrive is refused early. Below, Jetty's idle timeout applies. */
const STALLS_FROM = 64 * 1024;

interface BodyReader {
  /** `node.http.maxMessageSize`, in bytes. */
  readonly limit: number | undefined;
  /** Budget of unfinished bodies. */
  readonly budget: ByteBudget;
  readonly done: (body: RequestBody) => void;
  /** Called instead of `done` if the budget drops the body. */
  readonly dropped: (reason: DropReason) => void;
}

/**
 * Reads the body of a request. Does not call `done` if the connection ends before the body is complete. The body counts
 * in the budget until the response ends.
 */
export function readBody(response: ServerResponse, { limit, budget, done, dropped }: BodyReader): void {
  const request = response.req;
  const length = isChunked(request) ? undefined : contentLengthOf(request);
  const bytesMax = length !== undefined && length <= UNCHECKED_BYTES_MAX ? undefined : limit;
  const body = new ArrivingBody(length);
  let share: ByteShare | undefined;
  let isOver = false;
  const end = (call: () => void): void => {
    if (isOver) return;
    isOver = true;
    share?.stopClock();
    call();
  };
  const drop = (reason: DropReason): void => {
    body.clear();
    end(() => dropped(reason));
  };
  request.on('data', (chunk: Buffer) => {
    if (isOver) return;
    body.add(chunk);
    if (bytesMax !== undefined && body.size > bytesMax) {
      body.clear();
      share?.close();
      end(() => done({ bytes: undefined, isTooLarge: true }));
      return;
    }
    if (body.size === length) return;
    share ??= budget.open({ drop: (reason) => drop(reason), stallsFrom: STALLS_FROM });
    share.set(body.capacity, chunk.length);
  });
  request.on('end', () => end(() => done({ bytes: body.bytes(), isTooLarge: false })));
  response.once('close', () => share?.close());
  request.on('error', () => request.destroy());
}

function isChunked({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined;
}

/** Bytes of a body. Does not copy a body that arrives in one piece. */
class ArrivingBody {
  size = 0;
  private readonly length: number | undefined;
  private readonly rest = new GrowingBytes();
  private whole: Buffer | undefined;

  /** @param length Content-Length; undefined: chunked */
  constructor(length: number | undefined) {
    this.length = length;
  }

  get capacity(): number {
    return this.rest.capacity;
  }

  add(chunk: Buffer): void {
    this.size += chunk.length;
    if (chunk.length === this.length) this.whole = chunk;
    else if (this.size <= UNCHECKED_BYTES_MAX) this.rest.append(chunk, this.length);
    else this.rest.clear();
  }

  /** Returns undefined if the body was larger than the stored maximum. */
  bytes(): Uint8Array | undefined {
    return this.size > UNCHECKED_BYTES_MAX ? undefined : (this.whole ?? this.rest.bytes());
  }

  clear(): void {
    this.rest.clear();
  }
}
