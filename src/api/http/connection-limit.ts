import type { Server } from 'node:http';
import type { Socket } from 'node:net';

export interface ConnectionLimits {
  /** Connections that are served at once. */
  readonly connectionsMax: number;
  /** Connections that wait for a place; more are closed. */
  readonly waitingMax: number;
}

/**
 * Serves a limited number of connections; others wait, unread, until one ends, as behind a listener that stops
 * accepting.
 * Reference: Jetty's ConnectionLimit.
 */
export function limitConnections(server: Server, { connectionsMax, waitingMax }: ConnectionLimits): void {
  const listeners = server.listeners('connection') as ((socket: Socket) => void)[];
  const waiting = new Set<Socket>();
  let served = 0;
  const serve = (socket: Socket): void => {
    served++;
    socket.once('close', () => {
      served--;
      serveNext();
    });
    for (const listener of listeners) listener.call(server, socket);
    socket.resume();
  };
  const serveNext = (): void => {
    const [next] = waiting;
    if (next === undefined || served >= connectionsMax) return;
    waiting.delete(next);
    serve(next);
  };
  server.removeAllListeners('connection');
  server.on('connection', (socket: Socket) => {
    if (served < connectionsMax) serve(socket);
    else if (waiting.size >= waitingMax) socket.destroy();
    else {
      socket.pause();
      waiting.add(socket);
      socket.once('close', () => waiting.delete(socket));
      socket.on('error', () => socket.destroy());
    }
  });
}
