import type { OutgoingHttpHeaders } from 'node:http';
import type { FastifyReply } from 'fastify';
import type { ByteBudget } from '../../../primitives/byte-budget.js';
import { wellFormed } from '../../../primitives/bytes.js';
import type { HttpAnswer } from '../http-answer.js';

interface QueuedResponse {
  readonly reply: FastifyReply;
  readonly answer: HttpAnswer;
  readonly budget: ByteBudget;
}

const queued: QueuedResponse[] = [];

/**
 * Sends a response at the end of the event loop turn, together with the other responses of the turn. A write wakes the
 * process of the client, which takes longer than the write itself. An immediate write would therefore delay the other
 * responses of the turn.
 * @param budget memory budget of bytes that clients have not read
 */
export function send(reply: FastifyReply, answer: HttpAnswer, budget: ByteBudget): void {
  if (queued.length === 0) setImmediate(sendQueued);
  queued.push({ reply, answer, budget });
}

function sendQueued(): void {
  for (const each of queued.splice(0)) write(each);
}

/**
 * Writes headers and body at once. Fastify's `send` would add a charset to `application/json-rpc`, but java-tron sends
 * this type without a charset.
 */
function write({ reply, answer, budget }: QueuedResponse): void {
  const response = reply.hijack().raw;
  const { body = '' } = answer;
  const content = typeof body === 'string' ? wellFormed(body) : body;
  const length = Buffer.byteLength(content);
  // Includes the headers of hooks: CORS headers, and `Connection: close` after an error.
  const headers: OutgoingHttpHeaders = reply.getHeaders() as OutgoingHttpHeaders;
  if (answer.type !== undefined) headers['content-type'] = answer.type;
  if (answer.allow !== undefined) headers['allow'] = answer.allow;
  headers['content-length'] = length;
  response.writeHead(answer.status, headers);
  if (length > 0 && reply.request.method !== 'HEAD') {
    // If the numbers of bytes and characters are equal, the text is ASCII, and Latin-1 is the fastest encoding.
    response.write(content, length === content.length ? 'latin1' : 'utf8');
    // Node.js buffers writes until the end of the turn. Without this call, the end of the response would be a separate
    // packet.
    response.socket?.uncork();
  }
  response.end();
  countUnread(reply, length, budget);
}

/**
 * Adds the size of a response to the memory budget, if the operating system has not accepted the whole response. If the
 * budget drops the response, closes the connection.
 */
function countUnread({ raw }: FastifyReply, length: number, budget: ByteBudget): void {
  const { socket } = raw;
  if (!(socket !== null && socket.writableLength > 0)) return;
  const share = budget.open({ drop: () => socket.destroy() });
  raw.once('close', () => share.close());
  share.set(length);
}
