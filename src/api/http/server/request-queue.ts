import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { hasBody } from './body-length.js';

interface QueuedRequest {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly start: () => void;
}

/** State of one connection. */
interface Connection {
  /** Response that is being computed, or that the operating system has not accepted completely. */
  pending: ServerResponse | undefined;
  /** Time in ms at which the last response ended. */
  idleSince: number;
  /** True while reading from the socket is paused. */
  isPaused: boolean;
  /** Function to call after the last response of the connection. */
  ended: (() => void) | undefined;
  /** Requests that arrived while another response was pending, oldest first. */
  readonly queued: QueuedRequest[];
}

/**
 * Starts the pipelined requests of a connection one at a time, so that a client that does not read uses only the memory
 * of one response.
 *
 * While a response is pending, the socket is not read. The queue therefore contains at most the requests of one read
 * (64 KiB). In addition, data from the client cannot restart the idle timeout of an unread response.
 */
export class RequestQueue {
  private readonly connections = new WeakMap<Socket, Connection>();

  /** Queues a request. Calls `start` when the operating system has accepted all earlier responses of the connection. */
  add(request: IncomingMessage, response: ServerResponse, start: () => void): void {
    const { socket } = request;
    const connection = this.connections.get(socket) ?? this.open(socket);
    if (connection.pending === undefined) this.run(socket, connection, { request, response, start });
    else {
      connection.queued.push({ request, response, start });
      pause(socket, connection);
    }
  }

  /**
   * Returns the time in ms at which the last response of a connection ended. Returns `busy` while a response is
   * pending. Returns undefined if the connection has sent no request.
   */
  idleSince(socket: Socket): number | 'busy' | undefined {
    const connection = this.connections.get(socket);
    return connection?.pending === undefined ? connection?.idleSince : 'busy';
  }

  /** Returns the pending response of a connection; undefined if none exists. */
  pendingOf(socket: Socket): ServerResponse | undefined {
    return this.connections.get(socket)?.pending;
  }

  /**
   * Calls `end` after the responses to all complete requests of a connection. An incomplete request is removed from
   * the queue, because `end` may respond to it with an error.
   */
  afterAnswers(socket: Socket, end: () => void): void {
    const connection = this.connections.get(socket);
    if (connection?.queued.at(-1)?.request.complete === false) connection.queued.pop();
    if (connection?.pending?.req.complete !== true) end();
    else connection.ended = end;
  }

  private open(socket: Socket): Connection {
    const connection: Connection = { pending: undefined, idleSince: 0, isPaused: false, ended: undefined, queued: [] };
    this.connections.set(socket, connection);
    // Node.js resumes a socket that it has paused for unread responses. If the queue has also paused the socket, the
    // listener pauses the socket again.
    socket.on('resume', () => {
      if (connection.isPaused) socket.pause();
    });
    return connection;
  }

  private run(socket: Socket, connection: Connection, { request, response, start }: QueuedRequest): void {
    connection.pending = response;
    response.once('close', () => this.next(socket, connection));
    if (!hasBody(request)) pause(socket, connection);
    else {
      if (connection.queued.length === 0) resume(socket, connection);
      request.once('end', () => {
        if (connection.pending === response) pause(socket, connection);
      });
    }
    start();
  }

  private next(socket: Socket, connection: Connection): void {
    connection.pending = undefined;
    connection.idleSince = performance.now();
    if (!socket.writable) connection.queued.length = 0;
    const next = connection.queued.shift();
    if (next !== undefined) this.run(socket, connection, next);
    else {
      resume(socket, connection);
      connection.ended?.();
    }
  }
}

function pause(socket: Socket, connection: Connection): void {
  connection.isPaused = true;
  socket.pause();
}

function resume(socket: Socket, connection: Connection): void {
  if (!connection.isPaused) return;
  connection.isPaused = false;
  socket.resume();
}
