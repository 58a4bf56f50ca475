import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http';
import { wellFormed } from '../../domain/bytes.js';
import type { HttpAnswer } from './error-pages.js';

interface Held {
  readonly response: ServerResponse;
  readonly method: string | undefined;
  readonly answer: HttpAnswer;
}

const held: Held[] = [];

/**
 * Sends an answer at the end of the event loop's turn, together with the others of the turn. A write to a sleeping client's connection
 * wakes it, which takes longer than the write; those that follow at once find it awake.
 */
export function send(response: ServerResponse, { method }: IncomingMessage, answer: HttpAnswer): void {
  if (held.length === 0) setImmediate(sendHeld);
  held.push({ response, method, answer });
}

function sendHeld(): void {
  for (const each of held.splice(0)) write(each);
}

/** Writes head and body in one piece. */
function write({ response, method, answer }: Held): void {
  const { status, type, allow, location, close, body = '' } = answer;
  const text = method === 'HEAD' ? '' : wellFormed(body);
  const length = Buffer.byteLength(text);
  const headers: OutgoingHttpHeaders = {};
  if (type !== undefined) headers['content-type'] = type;
  if (allow !== undefined) headers.allow = allow;
  if (location !== undefined) headers.location = location;
  if (close === true) headers.connection = 'close';
  headers['content-length'] = length;
  response.writeHead(status, headers);
  if (length > 0) {
    // As many bytes as characters: ASCII, whose shortest way out is Latin-1.
    response.write(text, length === text.length ? 'latin1' : 'utf8');
    // Node holds back what is written until the turn ends, and would then send the empty end with it as a second piece.
    response.socket?.uncork();
  }
  response.end();
}
