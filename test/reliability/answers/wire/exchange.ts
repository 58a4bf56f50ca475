import { connect } from 'node:net';

/** Time without data after which a response is considered complete, in ms. */
const QUIET_MS = 250;
/** Maximum time until the first byte of a response, in ms. */
const FIRST_MS = 3_000;

/**
 * Sends raw bytes and returns the received bytes as text. Ends when the peer closes the connection or sends no more
 * data.
 */
export function exchange(port: number, bytes: Buffer): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    let text = '';
    const end = (): void => {
      clearTimeout(timer);
      socket.destroy();
      resolve(text);
    };
    let timer = setTimeout(end, FIRST_MS);
    socket.on('connect', () => socket.write(bytes));
    socket.on('data', (chunk) => {
      text += chunk.toString('latin1');
      clearTimeout(timer);
      timer = setTimeout(end, QUIET_MS);
    });
    socket.on('end', end);
    socket.on('error', end);
  });
}

/**
 * Returns the parts of the answers that must be equal on both nodes: status, type and body of each answer. If
 * java-tron's HTTP container rejects a request itself, only the rejection is compared.
 */
export function comparableExchange(text: string): string {
  const answers: string[] = [];
  for (let rest = text; rest !== ''; ) {
    const found = /^HTTP\/1\.1 [\s\S]*?\r\n\r\n/.exec(rest)?.[0];
    if (found === undefined) return [...answers, rest].join('\n');
    const [line = '', ...headers] = found.trimEnd().split('\r\n');
    const pairs = headers
      .map((header) => /^([^:]*): ?(.*)$/.exec(header))
      .map((match) => [nameOf(match), match?.[2] ?? ''] as const);
    const byName = new Map(pairs);
    const { body, length } = bodyOf(rest.slice(found.length), byName);
    const [, status = ''] = line.split(' ');
    const type = byName.get('content-type') ?? '';
    // java-tron's HTTP container closes some connections after it has rejected a request. Answers to later requests
    // are therefore not compared.
    if (status !== '200' || !type.includes('json')) return [...answers, 'refused'].join('\n');
    answers.push([status, type, body].join('\n'));
    rest = rest.slice(found.length + length);
  }
  return answers.join('\n');
}

function nameOf(match: RegExpExecArray | null): string {
  return match?.[1]?.toLowerCase() ?? '';
}

/**
 * Returns the body of an answer, and its number of bytes on the connection. An answer to HEAD has no body and must be
 * the last of its connection.
 */
function bodyOf(
  rest: string,
  headers: ReadonlyMap<string, string>,
): { readonly body: string; readonly length: number } {
  if (headers.get('transfer-encoding') !== 'chunked') {
    const body = rest.slice(0, Number(headers.get('content-length') ?? 0));
    return { body, length: body.length };
  }
  let [body, at] = ['', 0];
  for (;;) {
    const line = rest.indexOf('\r\n', at);
    const size = Number.parseInt(rest.slice(at, line), 16);
    if (line < 0 || Number.isNaN(size)) return { body, length: rest.length };
    body += rest.slice(line + 2, line + 2 + size);
    at = line + 2 + size + 2;
    if (size === 0) return { body, length: at };
  }
}
