import { type Readable, Transform, type TransformCallback } from 'node:stream';
import type { FastifyInstance } from 'fastify';
import type { ByteBudget, ByteShare } from '../../../primitives/byte-budget.js';
import { hasBody } from './body-length.js';
import { droppedBody } from './request-body.js';

/**
 * Applies a memory budget to the bodies of all routes of a server. A body uses the budget until the response is sent or
 * the connection is closed. Fastify still applies the body limit of each route.
 */
export function limitUnfinishedBodies(app: FastifyInstance, budget: ByteBudget): void {
  app.addHook('preParsing', ({ raw }, reply, payload, done) => {
    if (!hasBody(raw)) {
      done(null, payload);
      return;
    }
    const body = new CountedBody(payload as Readable, budget);
    reply.raw.once('close', () => body.close());
    done(null, body);
  });
}

/** Passes on the body of a request and counts its bytes. */
class CountedBody extends Transform {
  /** Number of received bytes. Fastify compares it with Content-Length. */
  receivedEncodedLength = 0;
  private readonly share: ByteShare;

  constructor(source: Readable, budget: ByteBudget) {
    super();
    this.share = budget.open({
      drop: (reason) => {
        // The connection stays readable, so that the response can be sent.
        source.unpipe(this);
        source.resume();
        this.destroy(droppedBody(reason));
      },
    });
    source.pipe(this);
    source.once('error', (error) => this.destroy(error));
  }

  override _transform(chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    this.receivedEncodedLength += chunk.length;
    this.share.set(this.receivedEncodedLength, chunk.length);
    done(null, chunk);
  }

  override _flush(done: TransformCallback): void {
    this.share.stopClock();
    done();
  }

  close(): void {
    this.share.close();
  }
}
