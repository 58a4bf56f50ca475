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
 * Sends a response at the end of the event loop turn, together with the other responses of the turn. The first write
 * wakes a sleeping client process, which takes longer than the write itself. At the end of the turn, this delays no
 * other response.
 * @param budget limit of the bytes that clients have not read
 */
export function send(reply: FastifyReply, answer: HttpAnswer, budget: ByteBudget): void {
  if (queued.length === 0) setImmediate(sendQueued);
  queued.push({ reply, answer, budget });
}

function sendQueued(): void {
  for (const each of queued.splice(0)) write(each);
}

/**
 * Writes headers and body in one piece. Does not use Fastify's `send`, which adds a charset to `application/json-rpc`.
 * java-tron sends this type without one.
 */
function write({ reply, answer, budget }: QueuedResponse): void {
  const response = reply.hijack().raw;
  const { body = '' } = answer;
  const content = typeof body === 'string' ? wellFormed(body) : body;
  const length = Buffer.byteLength(content);
  // Includes the headers that hooks have added: CORS headers, and `Connection: close` after an error.
  const headers: OutgoingHttpHeaders = reply.getHeaders() as OutgoingHttpHeaders;
  if (answer.type !== undefined) headers['content-type'] = answer.type;
  if (answer.allow !== undefined) headers['allow'] = answer.allow;
  headers['content-length'] = length;
  response.writeHead(answer.status, headers);
  if (length > 0 && reply.request.method !== 'HEAD') {
    // If the number of bytes equals the number of characters, the text is ASCII. Latin-1 is then the fastest encoding.
    response.write(content, length === content.length ? 'latin1' : 'utf8');
    // Node buffers writes until the turn ends. Without this call it would send the end of the response in a second
    // packet.
    response.socket?.uncork();
  }
  response.end();
  countUnread(reply, length, budget);
}

/**
 * Adds the size of an answer to the memory budget if the operating system has not accepted all of it. If the budget
 * drops the answer, closes the connection.
 */
function countUnread({ raw }: FastifyReply, length: number, budget: ByteBudget): void {
  const { socket } = raw;
  if (!(socket !== null && socket.writableLength > 0)) return;
  const share = budget.open({ drop: () => socket.destroy() });
  raw.once('close', () => share.close());
  share.set(length);
}
