import type { Server } from 'node:http';
import type { Socket } from 'node:net';

interface ConnectionLimits {
  /** Maximum number of connections that are served. */
  readonly connectionsMax: number;
  /** Maximum number of connections in the queue. Further connections are closed. */
  readonly waitingMax: number;
}

export interface LimitedConnections {
  /** Stops counting a connection that changed to another protocol. The next queued connection is served. */
  release(socket: Socket): void;
}

/**
 * Serves a limited number of connections. Others are queued, without reading from them, until a connection ends. This
 * is like a listener that stops accepting.
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
