import { type OutgoingHttpHeaders, type ServerResponse, STATUS_CODES } from 'node:http';
import type { ByteBudget } from '../../../primitives/byte-budget.js';
import { wellFormed } from '../../../primitives/bytes.js';
import type { HttpAnswer } from '../error-pages.js';

interface Held {
  readonly response: ServerResponse;
  readonly method: string | undefined;
  readonly container: string;
  readonly answer: HttpAnswer;
  readonly budget: ByteBudget;
}

const held: Held[] = [];

/**
 * Sends a response at the end of the event loop turn, together with the other responses of the turn. The first write to
 * a sleeping client process wakes it, which takes longer than the write itself. Later writes find it awake.
 * @param container value of the `Server` header @param budget limit of answers that clients do not read
 */
export function send(response: ServerResponse, container: string, answer: HttpAnswer, budget: ByteBudget): void {
  if (held.length === 0) setImmediate(sendHeld);
  held.push({ response, method: response.req.method, container, answer, budget });
}

function sendHeld(): void {
  for (const each of held.splice(0)) write(each);
}

/** Writes headers and body in one piece. */
function write({ response, method, container, answer, budget }: Held): void {
  const { body = '' } = answer;
  const text = wellFormed(body);
  const length = Buffer.byteLength(text);
  const headers = headersOf(answer, length, container);
  if (answer.close === true) response.shouldKeepAlive = false;
  const connection = answer.close === true ? 'close' : connectionOf(response);
  if (connection === undefined) response.removeHeader('connection');
  else headers['connection'] = connection;
  const { status, reason = STATUS_CODES[status] ?? '' } = answer;
  response.writeHead(status, reason, headers);
  if (length > 0 && method !== 'HEAD') {
    // If the number of bytes equals the number of characters, the text is ASCII. Latin-1 is then the fastest encoding.
    response.write(text, length === text.length ? 'latin1' : 'utf8');
    // Node buffers writes until the turn ends, and would send the end of the response as a second packet.
    response.socket?.uncork();
  }
  response.end();
  countUnread(response, length, budget);
}

/** Counts an answer that the operating system has not accepted completely. Closes the connection if it is dropped. */
function countUnread(response: ServerResponse, length: number, budget: ByteBudget): void {
  const { socket } = response;
  if (!(socket !== null && socket.writableLength > 0)) return;
  const share = budget.open({ drop: () => socket.destroy() });
  response.once('close', () => share.close());
  share.set(length);
}

/** Returns the headers of a response, without `Connection`. @param length of the body, in bytes */
export function headersOf(answer: HttpAnswer, length: number, container: string): OutgoingHttpHeaders {
  const { type, allow, location, isFleeting } = answer;
  const headers: OutgoingHttpHeaders = {};
  if (isFleeting === true) headers['cache-control'] = 'must-revalidate,no-cache,no-store';
  if (type !== undefined) headers['content-type'] = type;
  if (allow !== undefined) headers['allow'] = allow;
  if (location !== undefined) headers['location'] = location;
  headers['content-length'] = length;
  headers['server'] = container;
  return headers;
}

/** Returns the `Connection` header if it is not the HTTP version's default. Reference: Jetty's HttpGenerator. */
function connectionOf({ shouldKeepAlive, req }: ServerResponse): string | undefined {
  if (req.httpVersion === '1.0') return shouldKeepAlive ? 'keep-alive' : undefined;
  return shouldKeepAlive ? undefined : 'close';
}
