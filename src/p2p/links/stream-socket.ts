import { Duplex } from 'node:stream';
import type { Connection, Stream } from '@libp2p/interface';

/** An ordered duplex byte stream with the remote address: a TCP socket or a js-libp2p stream. */
export interface ByteLink extends Duplex {
  readonly remoteAddress?: string | undefined;
  readonly remotePort?: number | undefined;
  /** Closes the stream after all written data was sent. */
  destroySoon(): void;
}

/**
 * A js-libp2p stream with the interface of a socket. Each connection has one stream, so closing the stream closes the
 * connection.
 */
export class StreamSocket extends Duplex implements ByteLink {
  readonly remoteAddress: string | undefined;
  readonly remotePort: number | undefined;
  private readonly stream: Stream;
  private readonly connection: Connection;

  constructor(stream: Stream, connection: Connection) {
    super({ allowHalfOpen: false });
    // The peer may reset the stream before the owner has added a listener. Without this listener, the error would end
    // the process.
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
    if (this.stream.writeStatus !== 'writable') done(new Error('stream closed'));
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
      this.connection.abort(error ?? new Error('link destroyed'));
    } catch {
      // The reset cannot be sent, because the connection is already closing.
    }
    done(error);
  }
}
