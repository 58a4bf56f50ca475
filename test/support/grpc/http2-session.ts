import {
  type ClientHttp2Session,
  connect,
  createServer,
  type Http2Server,
  type IncomingHttpHeaders,
  type ServerHttp2Session,
  type ServerHttp2Stream,
} from 'node:http2';
import type { AddressInfo } from 'node:net';
import type { Test } from 'tap';

interface ServedSession {
  /** Function that the server calls for each new connection to limit it. */
  readonly limit: (session: ServerHttp2Session) => void;
  readonly answer: (stream: ServerHttp2Stream, headers: IncomingHttpHeaders) => void;
}

/** Starts an HTTP/2 server and opens a connection to it. Closes both at the end of the test. */
export async function openHttp2(
  t: Test,
  { limit, answer }: ServedSession,
): Promise<{ readonly server: Http2Server; readonly session: ClientHttp2Session }> {
  const server = createServer();
  server.on('session', limit);
  server.on('stream', answer);
  await new Promise<void>((resolve) => server.listen(0, resolve));
  const session = connect(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  session.on('error', () => {});
  t.teardown(() => {
    session.destroy();
    server.close();
  });
  return { server, session };
}
