import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

interface QueuedRequest {
  readonly response: ServerResponse;
  readonly start: () => void;
}

/** Requests of one connection. */
interface Connection {
  /** True while an answer is pending: not computed, or not accepted completely by the operating system. */
  isBusy: boolean;
  /** Requests that were received while another answer was pending, oldest first. */
  readonly queued: QueuedRequest[];
}

/**
 * Starts the pipelined requests of a connection one at a time. A client that does not read therefore uses the memory of
 * one answer. The socket is not read while requests are queued, so the queue contains at most the requests of one read
 * from the socket (64 KiB). Jetty handles the requests of a connection in the same order.
 */
export class RequestQueue {
  private readonly connections = new WeakMap<Socket, Connection>();

  /** Calls `start` when the earlier answers of the connection have left the buffer of its socket. */
  add({ socket }: IncomingMessage, response: ServerResponse, start: () => void): void {
    const connection = this.connections.get(socket) ?? this.open(socket);
    if (connection.isBusy) {
      connection.queued.push({ response, start });
      socket.pause();
    } else this.run(socket, connection, { response, start });
  }

  private open(socket: Socket): Connection {
    const connection: Connection = { isBusy: false, queued: [] };
    this.connections.set(socket, connection);
    // Node resumes a socket that it paused for unread answers, without regard to this queue.
    socket.on('resume', () => {
      if (connection.queued.length > 0) socket.pause();
    });
    return connection;
  }

  private run(socket: Socket, connection: Connection, { response, start }: QueuedRequest): void {
    connection.isBusy = true;
    response.once('close', () => this.next(socket, connection));
    start();
  }

  private next(socket: Socket, connection: Connection): void {
    connection.isBusy = false;
    if (!socket.writable) connection.queued.length = 0;
    const next = connection.queued.shift();
    if (next === undefined) return;
    if (connection.queued.length === 0) socket.resume();
    this.run(socket, connection, next);
  }
}
