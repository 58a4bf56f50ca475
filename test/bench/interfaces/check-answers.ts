import { Client, credentials } from '@grpc/grpc-js';
import type { InterfaceJob } from './interface-jobs.js';
import type { HttpRequest } from './wrk.js';

/** Number of requests of a job whose answers are checked. */
const CHECKED = 8;
/** Fields that an answer has only if it reports an error, for all interfaces. */
const ERROR_MEMBERS = ['Error', 'error', 'errors', 'code'];

const same = (bytes: Buffer): Buffer => bytes;

/**
 * Sends a few requests of a job and checks the answers. Load generators count an error with status 200 as a good
 * answer.
 * @throws {Error} an answer reports an error, or the first answer is empty
 */
export async function checkAnswers(name: string, job: InterfaceJob): Promise<void> {
  if ('method' in job) return checkGrpc(name, job.port, job.method, spaced(job.requests));
  for (const [at, request] of spaced(job.requests).entries()) {
    const text = await answerOf(job.port, request);
    const answer: unknown = JSON.parse(text);
    if (isError(answer) || (at === 0 && isEmpty(contentOf(answer))))
      throw new Error(`${name}: request ${request.path} ${request.body ?? ''} got ${text.slice(0, 500)}`);
  }
}

function spaced<T>(requests: readonly T[]): readonly T[] {
  const step = Math.ceil(requests.length / CHECKED);
  return requests.filter((_, at) => at % step === 0);
}

/** Returns the body of an answer. @throws {Error} the status is not 200 */
export async function answerOf(port: number, { path, body }: HttpRequest): Promise<string> {
  const headers = { 'content-type': 'application/json' };
  const post = body === undefined ? {} : { method: 'POST', headers, body };
  const answer = await fetch(`http://127.0.0.1:${port}${path}`, post);
  const text = await answer.text();
  if (answer.status !== 200) throw new Error(`${path}: status ${answer.status}, ${text.slice(0, 500)}`);
  return text;
}

async function checkGrpc(name: string, port: number, method: string, requests: readonly string[]): Promise<void> {
  const client = new Client(`127.0.0.1:${port}`, credentials.createInsecure());
  try {
    for (const request of requests) {
      const bytes = await new Promise<Buffer | undefined>((resolve, reject) =>
        client.makeUnaryRequest(`/${method}`, same, same, Buffer.from(request, 'hex'), (error, reply) =>
          error === null ? resolve(reply) : reject(error),
        ),
      );
      if (bytes === undefined || bytes.length === 0) throw new Error(`${name}: request ${request} got no message`);
    }
  } finally {
    client.close();
  }
}

function isError(answer: unknown): boolean {
  return [answer, member(answer, 'result')].some((part) =>
    ERROR_MEMBERS.some((name) => member(part, name) !== undefined),
  );
}

/** Returns the field `data` or `result` of an answer; the whole answer if it has neither. */
function contentOf(answer: unknown): unknown {
  const parts = [member(answer, 'data'), member(answer, 'result'), answer];
  return parts.find((part) => part !== undefined);
}

function member(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : undefined;
}

/** Returns true if a JSON value has no content, that is, only nulls. */
function isEmpty(value: unknown): boolean {
  if (typeof value === 'object' && value !== null) return Object.values(value).every(isEmpty);
  return value === null;
}
