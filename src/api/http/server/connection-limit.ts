import type { Server } from 'node:http';
import type { Socket } from 'node:net';

interface ConnectionLimits {
  /** Connections that are served at once. */
  readonly connectionsMax: number;
  /** Connections that wait for a place; more are closed. */
  readonly waitingMax: number;
}

export interface LimitedConnections {
  /** Gives the place of a connection to the next: it speaks another protocol from now on. */
  release(socket: Socket): void;
}

/**
 * Serves a limited number of connections; others wait, unread, until one ends, as behind a listener that stops
 * accepting.
 * Reference: Jetty's ConnectionLimit.
 */
export function limitConnections(server: Server, { connectionsMax, waitingMax }: ConnectionLimits): LimitedConnections {
  const listeners = server.listeners('connection') as ((socket: Socket) => void)[];
  const waiting = new Set<Socket>();
  const served = new Set<Socket>();
  const release = (socket: Socket): void => {
    if (served.delete(socket)) serveNext();
  };
  const serve = (socket: Socket): void => {
    served.add(socket);
    socket.once('close', () => release(socket));
    for (const listener of listeners) listener.call(server, socket);
    socket.resume();
  };
  const serveNext = (): void => {
    const [next] = waiting;
    if (next === undefined || served.size >= connectionsMax) return;
    waiting.delete(next);
    serve(next);
  };
  server.removeAllListeners('connection');
  server.on('connection', (socket: Socket) => {
    if (served.size < connectionsMax) serve(socket);
    else if (waiting.size >= waitingMax) socket.destroy();
    else {
      socket.pause();
      waiting.add(socket);
      socket.once('close', () => waiting.delete(socket));
      socket.on('error', () => socket.destroy());
    }
  });
  return { release };
}
