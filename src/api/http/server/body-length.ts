import type { IncomingMessage } from 'node:http';

/** Returns the length that the headers of a request give for its body, in bytes; undefined for a chunked body. */
export function bodyLength({ headers }: IncomingMessage): number | undefined {
  return headers['transfer-encoding'] === undefined ? Number(headers['content-length'] ?? 0) : undefined;
}

/** Returns true if the headers announce a body. */
export function hasBody(request: IncomingMessage): boolean {
  return bodyLength(request) !== 0;
}
