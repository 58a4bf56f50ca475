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
  /** Answer that is being computed, or that the operating system has not accepted completely. */
  pending: ServerResponse | undefined;
  /** Time in ms at which the last answer ended. */
  idleSince: number;
  /** True while reading from the socket is paused. */
  isPaused: boolean;
  /** Called after the last answer of the connection. */
  ended: (() => void) | undefined;
  /** Requests that were received while another answer was pending, oldest first. */
  readonly queued: QueuedRequest[];
}

/**
 * Starts the pipelined requests of a connection one at a time, so that a client that does not read uses the memory of
 * one answer. The socket is not read while an answer is pending. The queue therefore contains at most the requests of
 * one read from the socket (64 KiB). Data from a client also does not restart the idle timeout of its unread answer.
 */
export class RequestQueue {
  private readonly connections = new WeakMap<Socket, Connection>();

  /** Queues a request. Calls `start` when the earlier answers of the connection have left the buffer of its socket. */
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
   * Returns the time in ms at which the last answer of a connection ended, or `busy` while an answer is pending.
   * Returns undefined if the connection has not sent a request.
   */
  idleSince(socket: Socket): number | 'busy' | undefined {
    const connection = this.connections.get(socket);
    return connection?.pending === undefined ? connection?.idleSince : 'busy';
  }

  /** Returns the pending answer of a connection. */
  pendingOf(socket: Socket): ServerResponse | undefined {
    return this.connections.get(socket)?.pending;
  }

  /**
   * Calls `end` after the answers to all complete requests of a connection. Drops an incomplete request, which `end`
   * may answer with an error.
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
    // Node itself resumes a socket that it paused for unread answers. If the queue has paused the socket too, it is
    // paused again.
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
