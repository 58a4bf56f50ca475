import { connect } from 'node:net';

/** Data that a peer sent, and whether it then closed. */
export interface Exchanged {
  readonly text: string;
  readonly isClosed: boolean;
}

/** A connection on which nothing comes for this time has nothing more to say, ms. */
const QUIET_MS = 250;
/** The same before the first byte. */
const FIRST_MS = 3_000;

/** Sends bytes as they are, and takes what comes until the peer closes or says nothing more. */
export function exchange(port: number, bytes: Buffer): Promise<Exchanged> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    let text = '';
    const end = (isClosed: boolean): void => {
      clearTimeout(timer);
      socket.destroy();
      resolve({ text, isClosed });
    };
    let timer = setTimeout(end, FIRST_MS, false);
    socket.on('connect', () => socket.write(bytes));
    socket.on('data', (chunk) => {
      text += chunk.toString('latin1');
      clearTimeout(timer);
      timer = setTimeout(end, QUIET_MS, false);
    });
    socket.on('end', () => end(true));
    socket.on('error', () => end(true));
  });
}

/** The object's identity in an error page, and the time in which a transaction was made. */
const MASKS: readonly (readonly [shown: RegExp, mask: string])[] = [
  [/((?:SERVLET:<\/th><td>|SERVLET: |"servlet":")[^<"\n]*-)[0-9a-f]+/g, '$1'],
];

/** Heads that say how many bytes follow: the bodies are compared themselves. */
const FRAMING = new Set(['date', 'content-length', 'transfer-encoding']);

/** Parts that two nodes must agree on: status lines, sorted headers, bodies, and whether the connection ended. */
export function comparableExchange({ text, isClosed }: Exchanged): string {
  const answers: string[] = [];
  for (let rest = text; rest !== ''; ) {
    const found = /^HTTP\/1\.1 [\s\S]*?\r\n\r\n/.exec(rest)?.[0];
    if (found === undefined) return [...answers, rest].join('\n');
    const [line, ...headers] = found.trimEnd().split('\r\n');
    const pairs = headers
      .map((header) => /^([^:]*): ?(.*)$/.exec(header))
      .map((match) => [nameOf(match), match?.[2] ?? '']);
    const { body, length } = bodyOf(rest.slice(found.length), new Map(pairs as [string, string][]));
    const shown = pairs.filter(([name = '']) => !FRAMING.has(name)).map((pair) => pair.join(': '));
    answers.push([line, ...shown.sort(), '', masked(body)].join('\n'));
    rest = rest.slice(found.length + length);
  }
  // The reference lingers before it closes what it said to close.
  const saysClosed = /^connection: close$/m.test(answers.at(-1) ?? '');
  return `${answers.join('\n')}\n${isClosed || saysClosed ? 'closed' : 'open'}`;
}

function nameOf(match: RegExpExecArray | null): string {
  return match?.[1]?.toLowerCase() ?? '';
}

/** @returns the body, and how many bytes it took; an answer to HEAD is the last of its connection, and has none */
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

function masked(body: string): string {
  return MASKS.reduce((text, [shown, mask]) => text.replace(shown, mask), body);
}
