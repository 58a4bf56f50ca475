import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Test } from 'tap';

export const ACCESS_KEY_ID = 'AKIAFAKEFAKEFAKEFAKE';
export const SECRET = 'fake/secret+of=the test';

/** A request as the provider receives it. */
export interface ProviderRequest {
  readonly method: string;
  readonly url: URL;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

export interface Answer {
  readonly status: number;
  readonly type: string;
  readonly body: string;
}

/**
 * Serves a provider's HTTP API in this process.
 * @returns its URL
 */
export async function serveApi(t: Test, answer: (request: ProviderRequest) => Answer): Promise<string> {
  const server = createServer(async (request, response) => {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part as Buffer);
    const url = new URL(request.url ?? '/', 'http://localhost');
    const { method = '', headers } = request;
    const { status, type, body } = answer({ method, url, headers, body: Buffer.concat(parts).toString() });
    response.writeHead(status, { 'content-type': type }).end(body);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.teardown(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
