import type { IncomingMessage } from 'node:http';

/** Returns the length of the body in bytes, as declared in the headers; undefined for a chunked body. */
export function bodyLength({ headers }: IncomingMessage): number | undefined {
  return headers['transfer-encoding'] === undefined ? Number(headers['content-length'] ?? 0) : undefined;
}

/** Returns true if the headers announce a body. */
export function hasBody(request: IncomingMessage): boolean {
  return bodyLength(request) !== 0;
}
