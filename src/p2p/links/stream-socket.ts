import { Duplex } from 'node:stream';
import type { Connection, Stream } from '@libp2p/interface';

/** Both ends of bytes in order, with the address of who is at the other: a TCP socket, or a stream of libp2p. */
export interface ByteLink extends Duplex {
  readonly remoteAddress?: string | undefined;
  readonly remotePort?: number | undefined;
  /** Ends it when all that was written is on its way. */
  destroySoon(): void;
}

/** A stream of libp2p as a socket. It is the only one that its connection is for: the connection ends with it. */
export class StreamSocket extends Duplex implements ByteLink {
  readonly remoteAddress: string | undefined;
  readonly remotePort: number | undefined;
  private readonly stream: Stream;
  private readonly connection: Connection;

  constructor(stream: Stream, connection: Connection) {
    super({ allowHalfOpen: false });
    // The other end may cut the stream before anybody listens here: that ends the link, and not the process.
    this.on('error', () => undefined);
    this.stream = stream;
    this.connection = connection;
    const [, , host, , port] = connection.remoteAddr.toString().split('/');
    this.remoteAddress = host;
    this.remotePort = Number(port);
    stream.addEventListener('message', ({ data }) => {
      if (!this.push(data.subarray())) stream.pause();
    });
    stream.addEventListener('remoteCloseWrite', () => this.push(null));
    stream.addEventListener('close', ({ error }) => this.destroy(error));
  }

  destroySoon(): void {
    if (this.writableFinished) this.destroy();
    else this.end(() => this.destroy());
  }

  override _read(): void {
    this.stream.resume();
  }

  override _write(chunk: Uint8Array, _: BufferEncoding, done: (error?: Error) => void): void {
    if (this.stream.writeStatus !== 'writable') done(new Error('the stream is closed'));
    else if (this.stream.send(chunk)) done();
    else this.stream.addEventListener('drain', () => done(), { once: true });
  }

  override _final(done: (error?: Error | null) => void): void {
    this.stream.close().then(() => done(), done);
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    if (error === null && this.writableFinished) {
      this.connection.close().then(
        () => done(),
        () => done(),
      );
      return;
    }
    try {
      this.connection.abort(error ?? new Error('the link is cut'));
    } catch {
      // It was about to close: then nothing more can be sent, not even that it is cut.
    }
    done(error);
  }
}
