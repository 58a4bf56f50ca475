import type { Random } from '../../../fuzz/random.js';

/** Requests on one connection are as many as this. */
const REQUESTS_MAX = 3;

/** Methods that Node's parser knows. HEAD comes alone: what it is answered has no end of its own. */
const METHODS = ['GET', 'GET', 'GET', 'POST', 'POST', 'OPTIONS', 'PUT', 'DELETE', 'TRACE', 'PATCH', 'PROPFIND'];
const ODD_VERSIONS = ['1.2', '2.0', '0.9'];
/** Without what Node's parser refuses of a target. */
const SPELLINGS: readonly ((path: string) => string)[] = [
  (path) => `http://example.com${path}`,
  (path) => `http://example.com:8090${path}`,
  (path) => `http://example.com:x${path}`,
  (path) => `/${path}`,
  (path) => `${path}/`,
  (path) => `${path};a=b`,
  (path) => `${path}?a=b&c`,
  (path) => `${path}#a`,
  (path) => path.replace(/[a-z](?=[a-z]*$)/, (letter) => `%${letter.charCodeAt(0).toString(16)}`),
  (path) => path.replace(/(?=[^/]*$)/, './'),
  (path) => path.replace(/(?=[^/]*$)/, '../wallet/'),
  (path) => path.toUpperCase(),
  (path) => `${path}%`,
  (path) => `${path}%00`,
  (path) => `${path}%ff`,
  (path) => path.replace(/(?<=.)\/(?=[^/]*$)/, '%2f'),
  () => '/',
  () => '*',
  () => '/favicon.ico',
  () => '/jsonrpc',
];
const ODD_HOSTS = [
  ...[
    undefined,
    '',
    'x:80',
    'x:0',
    'x:99999',
    'x:y',
    'x:',
    '[::1]:80',
    '[::1',
    '::1',
    'a b',
    'a, b',
    'a/b',
    'u@a',
    ':80',
  ],
];
/** Each of these occurs at most once. */
const GOOD_HEADERS: readonly (readonly string[])[] = [
  ['Connection: close', 'Connection: keep-alive', 'Connection: foo, close', 'Connection: foo'],
  ['Accept: */*', 'Accept: application/json', 'Accept: text/plain;q=0.5', 'Accept: image/png', 'Accept: text/html;q=0'],
  ['Accept-Charset: utf-8', 'Accept-Charset: foo', 'Accept-Encoding: gzip', 'Accept-Language: de'],
  ['Range: bytes=0-1', 'If-None-Match: *', 'Origin: http://a', 'Cookie: a=b'],
];
const ODD_HEADERS = [
  ...['Expect: foo', 'Expect:', 'Expect: 102-processing', 'Upgrade: h2c', 'Upgrade: websocket'],
  ...['X: a\r\n b', 'X : a', ': a', 'X(: a', 'X: \x01', 'X: \x7f', 'X', 'X:', `X: ${'a'.repeat(8_300)}`, 'X: a\rb'],
];
const TYPES = [
  ...['application/json', 'application/json; charset=utf-8', 'application/json; charset=foo', 'text/plain', ''],
  ...['application/json; charset=utf-16', "application/json; charset='utf-8'", 'application/x-www-form-urlencoded'],
];
const BODIES = [
  '{}',
  '{"num":1}',
  '{"address":"a","visible":true}',
  '',
  'x',
  '[',
  '{"num":"a"}',
  'num=1',
  '{"value":"zz"}',
];

/** Makes raw requests from pieces; the same for the same numbers. */
export class RawRequestMaker {
  private readonly paths: readonly string[];
  private readonly spelled: boolean;

  /**
   * @param paths that answer the same as long as no block comes
   * @param spelled whether targets are written in other ways, too
   */
  constructor(paths: readonly string[], spelled: boolean) {
    this.paths = paths;
    this.spelled = spelled;
  }

  make(random: Random): Buffer {
    if (random.chance(0.1)) return Buffer.from(this.makeOne(random, 'HEAD'), 'latin1');
    const count = random.chance(0.2) ? 1 + random.below(REQUESTS_MAX) : 1;
    const all = Array.from({ length: count }, () => this.makeOne(random, random.pick(METHODS)));
    return Buffer.from(all.join(''), 'latin1');
  }

  /** At most one piece is wrong: of two faults each parser finds another one first. */
  private makeOne(random: Random, method: string): string {
    const path = random.pick(this.paths);
    const odd = random.pick(['nothing', 'nothing', 'target', 'version', 'host', 'header', 'header', 'body'] as const);
    const target = odd === 'target' && this.spelled ? random.pick(SPELLINGS)(path) : path;
    const version =
      odd === 'version' && method !== 'HEAD' ? random.pick(ODD_VERSIONS) : random.pick(['1.1', '1.1', '1.0']);
    const host = odd === 'host' ? random.pick(ODD_HOSTS) : 'x';
    const head = [`${method} ${target} HTTP/${version}`, ...(host === undefined ? [] : [`Host: ${host}`])];
    for (const kind of GOOD_HEADERS) if (random.chance(0.1)) head.push(random.pick(kind));
    if (odd === 'header') head.push(random.pick(ODD_HEADERS));
    const hasBody = method === 'POST' || odd === 'body';
    const { headers, body } = hasBody ? framed(random, odd === 'body', version !== '1.0') : { headers: [], body: '' };
    return `${[...head, ...headers].join('\r\n')}\r\n\r\n${body}`;
  }
}

/** A body and what says how long it is, which Node reads as the reference does. */
function framed(
  random: Random,
  isOdd: boolean,
  mayChunk: boolean,
): { readonly headers: readonly string[]; readonly body: string } {
  const body = random.pick(BODIES);
  const types = random.chance(0.7) ? [`Content-Type: ${random.pick(TYPES)}`] : [];
  const length = `Content-Length: ${body.length}`;
  if (isOdd) return { headers: [...types, ...random.pick([[length, length], ...oddFraming(length)])], body };
  if (!mayChunk || random.chance(0.7)) return { headers: [...types, length], body };
  const extension = random.pick(['', '', ';a=b']);
  const chunk = body === '' ? '' : `${body.length.toString(16)}${extension}\r\n${body}\r\n`;
  return { headers: [...types, CHUNKED], body: `${chunk}0\r\n${random.pick(['', 'X: y\r\n'])}\r\n` };
}

const CHUNKED = 'Transfer-Encoding: chunked';

function oddFraming(length: string): readonly (readonly string[])[] {
  return [
    [length, CHUNKED],
    ['Content-Length: a'],
    ['Transfer-Encoding: gzip'],
    ['Transfer-Encoding: chunked, gzip'],
    ['Transfer-Encoding:'],
  ];
}
