import { Agent, request as httpRequest } from 'node:http';
import { Client, credentials } from '@grpc/grpc-js';
import type { ServerName } from '../../../src/api/servers.js';

export type Protocol = 'http' | 'jsonrpc' | 'grpc';

/**
 * One request. For JSON-RPC, which is HTTP on separate ports, and for HTTP, `path` is the path of the URL. For gRPC,
 * `path` is the method.
 */
export interface Question {
  readonly protocol: Protocol;
  readonly server: ServerName;
  readonly method: string;
  readonly path: string;
  readonly contentType?: string | undefined;
  /** Value of the header `Accept`, which selects the format of an error page. */
  readonly accept?: string | undefined;
  readonly body?: Buffer | undefined;
}

export interface Reply {
  /** Status of the response. For HTTP, it includes the headers that describe the body. */
  readonly shape: string;
  /** For HTTP, the body as latin1 text. For gRPC, the message in hex, or the details of an error status. */
  readonly body: string;
}

export type Ports = Readonly<Record<Protocol, Readonly<Record<ServerName, number>>>>;

const same = (bytes: Buffer): Buffer => bytes;

/** Sends requests to one node over persistent connections. */
export class NodeClient {
  private readonly agent = new Agent({ keepAlive: true, maxSockets: 4 });
  private readonly clients = new Map<ServerName, Client>();
  private readonly ports: Ports;

  constructor(ports: Ports) {
    this.ports = ports;
  }

  request(question: Question): Promise<Reply> {
    return question.protocol === 'grpc' ? this.sendGrpc(question) : this.sendHttp(question);
  }

  close(): void {
    this.agent.destroy();
    for (const client of this.clients.values()) client.close();
  }

  private sendGrpc({ server, path, body }: Question): Promise<Reply> {
    let client = this.clients.get(server);
    if (client === undefined) {
      client = new Client(`127.0.0.1:${this.ports.grpc[server]}`, credentials.createInsecure());
      this.clients.set(server, client);
    }
    const kept = client;
    return new Promise((resolve) => {
      kept.makeUnaryRequest(`/${path}`, same, same, body ?? Buffer.alloc(0), (error, bytes) =>
        resolve(
          error === null
            ? { shape: '0', body: (bytes ?? Buffer.alloc(0)).toString('hex') }
            : { shape: String(error.code), body: error.details },
        ),
      );
    });
  }

  private sendHttp({ protocol, server, method, path, contentType, accept, body }: Question): Promise<Reply> {
    const headers: Record<string, string | number> = { host: '127.0.0.1' };
    if (contentType !== undefined) headers['content-type'] = contentType;
    if (accept !== undefined) headers['accept'] = accept;
    if (body !== undefined) headers['content-length'] = body.length;
    const port = this.ports[protocol][server];
    return new Promise((resolve, reject) => {
      const call = httpRequest({ port, host: '127.0.0.1', method, path, headers, agent: this.agent }, (response) => {
        const chunks: Buffer[] = [];
        const { statusCode, headers: found } = response;
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('end', () =>
          resolve({
            shape: [statusCode, found['content-type'] ?? '-', found.allow ?? '-'].join(' | '),
            body: Buffer.concat(chunks).toString('latin1'),
          }),
        );
      });
      call.on('error', reject);
      call.end(body);
    });
  }
}
