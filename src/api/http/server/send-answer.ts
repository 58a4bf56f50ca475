import { type OutgoingHttpHeaders, type ServerResponse, STATUS_CODES } from 'node:http';
import { wellFormed } from '../../../primitives/bytes.js';
import type { HttpAnswer } from '../error-pages.js';

interface Held {
  readonly response: ServerResponse;
  readonly method: string | undefined;
  readonly container: string;
  readonly answer: HttpAnswer;
}

const held: Held[] = [];

/**
 * Sends an answer at the end of the event loop's turn, together with the others of the turn. A write to a sleeping
 * client's connection wakes it, which takes longer than the write; those that follow at once find it awake.
 * @param container what serves, as `Server` says it
 */
export function send(response: ServerResponse, container: string, answer: HttpAnswer): void {
  if (held.length === 0) setImmediate(sendHeld);
  held.push({ response, method: response.req.method, container, answer });
}

function sendHeld(): void {
  for (const each of held.splice(0)) write(each);
}

/** Writes head and body in one piece. */
function write({ response, method, container, answer }: Held): void {
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
    // As many bytes as characters: ASCII, whose shortest way out is Latin-1.
    response.write(text, length === text.length ? 'latin1' : 'utf8');
    // Node holds back what is written until the turn ends, and would then send the empty end with it as a second piece.
    response.socket?.uncork();
  }
  response.end();
}

/** What an answer says of itself; of its connection it says nothing yet. @param length of the body, bytes */
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

/** Only what a version does not do by itself is said of the connection. Reference: Jetty's HttpGenerator. */
function connectionOf({ shouldKeepAlive, req }: ServerResponse): string | undefined {
  if (req.httpVersion === '1.0') return shouldKeepAlive ? 'keep-alive' : undefined;
  return shouldKeepAlive ? undefined : 'close';
}
