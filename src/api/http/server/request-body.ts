import type { EventEmitter } from 'node:events';
import type { IncomingMessage } from 'node:http';
import type { FastifyInstance } from 'fastify';
import type { ByteBudget, ByteShare, DropReason } from '../../../primitives/byte-budget.js';
import { EMPTY_BYTES } from '../../../primitives/bytes.js';
import { GrowingBytes } from '../../../primitives/growing-bytes.js';
import { bodyLength } from './body-length.js';
import type { RequestQueue } from './request-queue.js';

interface BodyLimits {
  /** Maximum size of a body, in bytes. */
  readonly bytesMax: number;
  /** Memory budget of unfinished bodies. */
  readonly budget: ByteBudget;
}

/**
 * Error for a body that is rejected before it is read. Fastify responds with the status of the error and closes the
 * connection.
 */
class BodyError extends Error {
  readonly statusCode: number;

  constructor(statusCode: number, message: string) {
    super(message);
    this.name = new.target.name;
    this.statusCode = statusCode;
  }
}

/** Makes a Fastify server read bodies of any Content-Type as bytes, within the budget of unfinished bodies. */
export function readBodiesAsBytes(app: FastifyInstance, queue: RequestQueue, limits: BodyLimits): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', (_, request, done) => {
    // An injected request of a test has no connection, and so no pending response in the queue.
    readBody(request, { ...limits, owner: queue.pendingOf(request.socket) ?? request, done });
  });
}

interface BodyReader extends BodyLimits {
  /**
   * The body uses the memory budget until this object emits `close`. It is the response to the request, or the request
   * itself if no response is pending.
   */
  readonly owner: EventEmitter;
  readonly done: (error: Error | null, body?: Uint8Array) => void;
}

/** Reads the body of a request. If the connection ends before the body is complete, `done` is never called. */
function readBody(request: IncomingMessage, reader: BodyReader): void {
  const { bytesMax, done } = reader;
  const length = bodyLength(request);
  if (length !== undefined && length > bytesMax) {
    done(tooLarge(bytesMax));
    return;
  }
  let whole: Uint8Array = EMPTY_BYTES;
  let parts: BodyParts | undefined;
  request.on('data', (chunk: Buffer) => {
    // A body in one chunk is neither copied nor counted in the budget.
    if (chunk.length === length) whole = chunk;
    else {
      parts ??= new BodyParts(length, reader);
      parts.add(chunk);
    }
  });
  request.on('end', () => {
    if (parts === undefined) done(null, whole);
    else parts.end();
  });
}

/** Collects a body that arrives in several chunks. */
class BodyParts {
  private readonly bytes = new GrowingBytes();
  private readonly length: number | undefined;
  private readonly reader: BodyReader;
  private share: ByteShare | undefined;
  private isOver = false;

  /** @param length value of Content-Length; undefined for a chunked body */
  constructor(length: number | undefined, reader: BodyReader) {
    this.length = length;
    this.reader = reader;
  }

  add(chunk: Uint8Array): void {
    if (this.isOver) return;
    const { bytesMax } = this.reader;
    if (this.bytes.size + chunk.length > bytesMax) {
      this.refuse(tooLarge(bytesMax));
      return;
    }
    this.bytes.append(chunk, this.length);
    if (this.bytes.size === this.length) return;
    this.share ??= this.openShare();
    this.share.set(this.bytes.capacity, chunk.length);
  }

  end(): void {
    if (this.isOver) return;
    this.isOver = true;
    this.share?.stopClock();
    this.reader.done(null, this.bytes.bytes());
  }

  private openShare(): ByteShare {
    const { budget, owner } = this.reader;
    const share = budget.open({ drop: (reason) => this.refuse(droppedBody(reason)) });
    owner.once('close', () => share.close());
    return share;
  }

  private refuse(error: BodyError): void {
    this.isOver = true;
    this.bytes.clear();
    this.share?.close();
    this.reader.done(error);
  }
}

function tooLarge(bytesMax: number): BodyError {
  return new BodyError(413, `body size is too big, the limit is ${bytesMax}`);
}

/** Returns the error for a body that the budget of unfinished bodies drops. */
export function droppedBody(reason: DropReason): BodyError {
  return reason === 'full'
    ? new BodyError(413, 'too many unfinished requests')
    : new BodyError(408, 'the body did not arrive in time');
}
