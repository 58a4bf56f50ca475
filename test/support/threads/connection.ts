import { Agent, request } from 'node:http';
import type { Socket } from 'node:net';

/**
 * A client with one keep-alive connection to each port. The operating system assigns each connection to one of the API
 * threads.
 */
export class OneConnection {
  private readonly agent = new Agent({ keepAlive: true, maxSockets: 1 });
  private readonly sockets = new Set<Socket>();

  /** Number of connections that were opened so far. If it exceeds the number of ports, a connection has ended. */
  get opened(): number {
    return this.sockets.size;
  }

  /** Posts JSON and returns the decoded answer. Rejects if the connection ends first. */
  post<T>(port: number, path: string, body: object): Promise<T> {
    return this.send(port, path, body);
  }

  /** Reads JSON with GET. Rejects if the connection ends first. */
  get<T>(port: number, path: string): Promise<T> {
    return this.send(port, path, undefined);
  }

  private send<T>(port: number, path: string, body: object | undefined): Promise<T> {
    return new Promise((resolve, reject) => {
      const method = body === undefined ? 'GET' : 'POST';
      const headers = { 'content-type': 'application/json' };
      const call = request({ agent: this.agent, host: '127.0.0.1', port, path, method, headers }, (reply) => {
        let text = '';
        reply.setEncoding('utf8').on('data', (chunk) => {
          text += chunk;
        });
        reply.once('end', () => resolve(JSON.parse(text) as T)).once('error', reject);
      });
      call.once('socket', (socket) => this.sockets.add(socket));
      call.once('error', reject).end(body && JSON.stringify(body));
    });
  }

  close(): void {
    this.agent.destroy();
  }
}
