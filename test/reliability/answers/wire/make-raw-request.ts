import type { Random } from '../../../fuzz/random.js';

/** Maximum number of requests on one connection. */
const REQUESTS_MAX = 3;

/**
 * Methods of requests. HEAD is not listed: a HEAD request is always alone on its connection, because the end of its
 * answer cannot be detected.
 */
const METHODS = ['GET', 'GET', 'GET', 'POST', 'POST', 'OPTIONS', 'PUT', 'DELETE'];
/** Functions that write a path in another form. They exclude forms that the parser of Node.js rejects. */
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
/** Optional headers. A request has at most one header of each row. */
const HEADERS: readonly (readonly string[])[] = [
  ['Connection: close', 'Connection: keep-alive', 'Connection: foo, close', 'Connection: foo'],
  ['Accept: */*', 'Accept: application/json', 'Accept: text/plain;q=0.5', 'Accept: image/png', 'Accept: text/html;q=0'],
  ['Accept-Charset: utf-8', 'Accept-Charset: foo', 'Accept-Encoding: gzip', 'Accept-Language: de'],
  ['Range: bytes=0-1', 'If-None-Match: *', 'Origin: http://a', 'Cookie: a=b'],
];
const TYPES = [
  ...['application/json', 'application/json; charset=utf-8', 'application/json; charset=foo', 'text/plain'],
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

/** Creates raw requests. Equal random numbers result in equal requests. */
export class RawRequestMaker {
  private readonly paths: readonly string[];
  private readonly spelled: boolean;

  /**
   * @param paths paths whose answers change only with a new block
   * @param spelled true to write the paths in other forms too
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

  private makeOne(random: Random, method: string): string {
    const path = random.pick(this.paths);
    const target = this.spelled && random.chance(0.15) ? random.pick(SPELLINGS)(path) : path;
    const version = random.pick(['1.1', '1.1', '1.0']);
    const head = [`${method} ${target} HTTP/${version}`, 'Host: x'];
    for (const kind of HEADERS) if (random.chance(0.1)) head.push(random.pick(kind));
    const { headers, body } = method === 'POST' ? framed(random, version !== '1.0') : { headers: [], body: '' };
    return `${[...head, ...headers].join('\r\n')}\r\n\r\n${body}`;
  }
}

/**
 * Returns a body and headers that state its length. Uses only forms that Node.js and java-tron parse in the same way.
 */
function framed(random: Random, mayChunk: boolean): { readonly headers: readonly string[]; readonly body: string } {
  const body = random.pick(BODIES);
  const types = random.chance(0.7) ? [`Content-Type: ${random.pick(TYPES)}`] : [];
  const length = `Content-Length: ${body.length}`;
  if (!mayChunk || random.chance(0.7)) return { headers: [...types, length], body };
  const extension = random.pick(['', '', ';a=b']);
  const chunk = body === '' ? '' : `${body.length.toString(16)}${extension}\r\n${body}\r\n`;
  return { headers: [...types, CHUNKED], body: `${chunk}0\r\n${random.pick(['', 'X: y\r\n'])}\r\n` };
}

const CHUNKED = 'Transfer-Encoding: chunked';
