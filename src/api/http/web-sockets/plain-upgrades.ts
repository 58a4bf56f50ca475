import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';

/**
 * Responds to upgrade requests for protocols other than WebSocket as if they were ordinary HTTP/1.1 requests. Java's
 * HTTP client, for example, requests HTTP/2 in its first request, but accepts HTTP/1.1. Node.js passes every upgrade
 * request to the upgrade listener. Therefore, this class parses such a request again in a second HTTP parser, without
 * the headers that request the upgrade.
 */
export class PlainUpgrades {
  private readonly parser: Server;

  constructor(server: Server) {
    const { keepAliveTimeout, headersTimeout, requestTimeout } = server;
    this.parser = createServer({ keepAliveTimeout, headersTimeout, requestTimeout });
    this.parser.on('request', (request: IncomingMessage, response: ServerResponse) => {
      server.emit('request', request, response);
    });
    this.parser.on('clientError', (error, socket) => server.emit('clientError', error, socket));
  }

  /** Responds to an upgrade request. @param head bytes that were received after the request headers */
  answer(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    socket.unshift(Buffer.concat([Buffer.from(headWithoutUpgrade(request), 'latin1'), head]));
    this.parser.emit('connection', socket);
  }
}

function headWithoutUpgrade({ method, url, httpVersion, rawHeaders }: IncomingMessage): string {
  const lines = [`${method} ${url} HTTP/${httpVersion}`];
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const [name = '', value = ''] = rawHeaders.slice(at, at + 2);
    const key = name.toLowerCase();
    if (key === 'upgrade' || key === 'http2-settings') continue;
    const remaining = key === 'connection' ? value.split(',').filter(isNoUpgrade).join(',') : value;
    if (key !== 'connection' || remaining !== '') lines.push(`${name}: ${remaining}`);
  }
  return `${lines.join('\r\n')}\r\n\r\n`;
}

function isNoUpgrade(word: string): boolean {
  return !/^\s*(upgrade|http2-settings)\s*$/i.test(word);
}
