export interface HttpAnswer {
  readonly status: number;
  /** Content-Type; undefined if the response has none. */
  readonly type?: string;
  /** Value of the header `Allow`. */
  readonly allow?: string;
  /** Text, or its UTF-8 bytes if another thread has created a large response. */
  readonly body?: string | Uint8Array;
}

/** Returns the body as text. */
export function answerText({ body = '' }: HttpAnswer): string {
  return typeof body === 'string' ? body : Buffer.from(body.buffer, body.byteOffset, body.length).toString();
}

export const JSON_TYPE = 'application/json;charset=utf-8';

/**
 * Returns the response to a request without a handler, in the form of java-tron's errors.
 * @param error error text for the client
 */
export function errorAnswer(status: number, error: string): HttpAnswer {
  return { status, type: JSON_TYPE, body: `${JSON.stringify({ Error: error })}\n` };
}
