import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { request as httpRequest } from 'node:http';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import type { FastifyInstance } from 'fastify';
import pino from 'pino';
import type { ServerName } from '../../src/api/servers.js';
import type { Chain } from '../../src/chain/chain.js';
import { Transaction } from '../../src/codec/generated/messages.js';
import { parseFlags } from '../../src/config/flags.js';
import { loadConfig } from '../../src/config/load-config.js';
import { openChain } from '../../src/node/open-chain.js';
import { createHttpServers } from '../../src/node/serving/serve-http.js';
import { servedLocally } from '../../src/node/serving/served-node.js';
import { TronError } from '../../src/primitives/errors.js';
import { decodeBlock } from '../../src/state-transition/block/decoded-block.js';
import { decodeTransaction } from '../../src/state-transition/transactions/decode-transaction.js';
import { flagsOf, readLines } from './recording.js';
import { withoutVolatile } from './without-volatile.js';

/** A part of a request: a text, or a text with the number of its repetitions. */
type Part = string | readonly [unit: string, count: number];

export interface HttpRecord {
  readonly seq: number;
  readonly phase: 'settle' | 'filters' | 'query' | 'pending';
  readonly head: number;
  readonly server: ServerName;
  readonly method: string;
  readonly path: string;
  readonly body?: string | null;
  readonly bodyHex?: string;
  readonly bodyGen?: { readonly parts: readonly Part[] };
  readonly contentType?: string | null;
  readonly status: number;
  readonly type: string | null;
  readonly allow?: string;
  readonly response?: string;
  readonly responseHex?: string;
  readonly volatile: readonly string[];
  readonly loose?: boolean;
  readonly jdk8?: string;
}

export interface EndpointCount {
  compared: number;
  mismatched: number;
}

export interface HttpReport {
  readonly endpoints: Map<string, EndpointCount>;
  compared: number;
  mismatched: number;
}

export function hasHttpFile(folder: string): boolean {
  return existsSync(join(folder, 'http.ndjson.gz'));
}

/** Imports the chain of a folder. Sends every recorded request over HTTP and compares the answers. */
export async function replayHttp(
  folder: string,
  onDifference: (endpoint: string, text: string) => void,
  only?: (record: HttpRecord) => boolean,
): Promise<HttpReport> {
  const report: HttpReport = { endpoints: new Map(), compared: 0, mismatched: 0 };
  const dataDir = mkdtempSync(join(tmpdir(), 'tronicle-'));
  const { config } = loadConfig({
    file: join(folder, 'config.conf'),
    flags: parseFlags(flagsOf(folder).filter((flag) => flag !== '--no-repush')).flags,
    defaults: { 'tronicle.history.retention': 'all' },
  });
  const log = pino({ level: process.env['HTTP_LOG'] ?? 'fatal' });
  const chain = await openChain({ config, dataDir, log });
  const servers = createHttpServers(servedLocally({ chain, config, log, now: Date.now }));
  try {
    await importBlocks(chain, folder);
    for (const server of servers.values()) await server.listen({ port: 0, host: '127.0.0.1' });
    const broadcasts = await readBroadcasts(folder);
    for await (const record of readLines<HttpRecord>(join(folder, 'http.ndjson.gz'))) {
      while (broadcasts[0] !== undefined && broadcasts[0].seq < record.seq) offer(chain, broadcasts.shift()!.hex);
      if (only !== undefined && record.phase === 'query' && !only(record)) continue;
      const difference = await differenceOf(servers.get(record.server)!, record);
      const endpoint = `${record.path.split('?')[0]!.slice(0, 70)}`;
      const count = report.endpoints.get(endpoint) ?? { compared: 0, mismatched: 0 };
      report.endpoints.set(endpoint, count);
      count.compared++;
      report.compared++;
      if (difference === undefined) continue;
      count.mismatched++;
      report.mismatched++;
      onDifference(endpoint, difference);
    }
  } finally {
    for (const server of servers.values()) {
      server.server.closeAllConnections();
      await server.close();
    }
    await chain.ledger.close();
    rmSync(dataDir, { recursive: true, force: true });
  }
  return report;
}

async function importBlocks(chain: Chain, folder: string): Promise<void> {
  for await (const { num, block } of readLines<{ num: number; block?: string }>(join(folder, 'blocks.ndjson.gz'))) {
    if (num === 0) continue;
    chain.importBlock(decodeBlock(Buffer.from(block!, 'hex')));
    chain.mempool.clear();
  }
}

/** Returns the broadcasts over gRPC. The replay sends them between those over HTTP, in the order of `seq`. */
async function readBroadcasts(folder: string): Promise<{ readonly seq: number; readonly hex: string }[]> {
  const file = join(folder, 'grpc.ndjson.gz');
  const found: { seq: number; hex: string }[] = [];
  if (!existsSync(file)) return found;
  for await (const { seq, phase, method, requestHex, requestGen } of readLines<GrpcRecord>(file)) {
    const isBroadcast = phase === 'pending' && method.endsWith('/BroadcastTransaction');
    if (isBroadcast) found.push({ seq, hex: requestHex ?? joinParts(requestGen!.parts) });
  }
  return found;
}

interface GrpcRecord {
  readonly seq: number;
  readonly phase: string;
  readonly method: string;
  readonly requestHex?: string;
  readonly requestGen?: { readonly parts: readonly Part[] };
}

function offer(chain: Chain, hex: string): void {
  try {
    const transaction = Transaction.decode(Buffer.from(hex, 'hex'));
    if (chain.state.properties.isOn('ALLOW_CREATION_OF_CONTRACTS')) transaction.ret = [];
    chain.mempool.add(decodeTransaction(transaction));
  } catch (error) {
    if (!(error instanceof TronError)) throw error;
  }
}

interface Reply {
  readonly status: number;
  readonly type: string | null;
  readonly allow: string | undefined;
  readonly body: Buffer;
}

async function differenceOf(server: FastifyInstance, record: HttpRecord): Promise<string | undefined> {
  const address = server.server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  const reply = await send(port, record);
  return compare(record, reply);
}

function bodyOf({ body, bodyHex, bodyGen }: HttpRecord): Buffer | undefined {
  if (bodyHex !== undefined) return Buffer.from(bodyHex, 'hex');
  if (bodyGen === undefined) return body === null || body === undefined ? undefined : Buffer.from(body);
  return Buffer.from(joinParts(bodyGen.parts));
}

function joinParts(parts: readonly Part[]): string {
  return parts.map((part) => (typeof part === 'string' ? part : part[0].repeat(part[1]))).join('');
}

const PLAIN_METHODS = new Set(['GET', 'POST', 'HEAD', 'PUT', 'DELETE', 'OPTIONS', 'PATCH', 'TRACE']);

function send(port: number, record: HttpRecord): Promise<Reply> {
  if (!PLAIN_METHODS.has(record.method) || /[^\x21-\x7e]/.test(record.path)) return sendRaw(port, record);
  const body = bodyOf(record);
  const { contentType } = record;
  const headers: Record<string, string | number> = { host: '127.0.0.1:8090' };
  if (contentType !== null && body !== undefined) headers['content-type'] = contentType ?? 'application/json';
  if (body !== undefined) headers['content-length'] = body.length;
  return new Promise((resolve, reject) => {
    const request = httpRequest(
      { port, host: '127.0.0.1', method: record.method, path: record.path, headers, agent: false },
      (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('end', () =>
          resolve({
            status: response.statusCode ?? 0,
            type: response.headers['content-type'] ?? null,
            allow: response.headers.allow,
            body: Buffer.concat(chunks),
          }),
        );
      },
    );
    request.on('error', reject);
    request.end(body);
  });
}

function sendRaw(port: number, record: HttpRecord): Promise<Reply> {
  const body = bodyOf(record) ?? Buffer.alloc(0);
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    const socket = connect(port, '127.0.0.1', () => {
      const head = `${record.method} ${record.path} HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n`;
      socket.write(`${head}${body.length > 0 ? `Content-Length: ${body.length}\r\n` : ''}\r\n`);
      socket.write(body);
    });
    socket.on('data', (chunk) => chunks.push(chunk));
    socket.on('error', reject);
    socket.on('close', () => {
      const all = Buffer.concat(chunks).toString('latin1');
      const [head = '', ...rest] = all.split('\r\n\r\n');
      const header = (name: string): string | undefined => new RegExp(`^${name}: (.*)$`, 'im').exec(head)?.[1]?.trim();
      resolve({
        status: Number(head.split(' ')[1]),
        type: header('content-type') ?? null,
        allow: header('allow'),
        body: Buffer.from(rest.join('\r\n\r\n'), 'latin1'),
      });
    });
  });
}

/**
 * Returns true for an answer of java-tron's servlet container: an error page in HTML, a redirect, an answer to TRACE,
 * or a status without a body. This node does not imitate these answers; it must only reject the request.
 */
export function isOfContainer({ method, status, type }: Pick<HttpRecord, 'method' | 'status' | 'type'>): boolean {
  return type === null
    ? status >= 300 || method === 'OPTIONS'
    : type.startsWith('text/html') || type === 'message/http';
}

/** @returns the difference between both answers; undefined if they are equal */
function compare(record: HttpRecord, reply: Reply): string | undefined {
  const actual = reply.body.toString();
  const expected = record.responseHex === undefined ? (record.response ?? '') : '';
  const where = `#${record.seq} ${record.server} ${record.method} ${record.path.slice(0, 300)} ${JSON.stringify(
    record.body ?? record.bodyHex ?? record.bodyGen ?? null,
  ).slice(0, 700)}`;
  const show = (what: string, expected: unknown, found: unknown): string =>
    `${where}\n   ${what}\n   expected ${String(expected).slice(0, 6000)}\n   here     ${String(found).slice(0, 6000)}`;
  // The status is NaN if the connection was closed without an answer, which is accepted as a rejection.
  if (isOfContainer(record)) return reply.status < 400 ? show('status', 'an error', reply.status) : undefined;
  if (reply.status !== record.status)
    return show('status', `${record.status} ${expected}`, `${reply.status} ${actual}`);
  if ((reply.type ?? null) !== (record.type ?? null)) return show('type', record.type, reply.type);
  const allow = record.allow?.replace('TRACE, ', '');
  if (allow !== undefined && reply.allow !== allow) return show('allow', allow, reply.allow);
  if (record.responseHex !== undefined) {
    const hex = reply.body.toString('hex');
    return hex === record.responseHex ? undefined : show('bytes', record.responseHex, hex);
  }
  if (record.volatile.includes('')) return undefined;
  if (record.volatile.length === 0) {
    if (actual === expected || (record.loose === true && isLooselyEqual(record, actual))) return undefined;
    const at = [...expected].findIndex((char, index) => char !== actual[index]);
    return show(`text at ${at}: …${expected.slice(Math.max(0, at - 60), at + 60)}…`, expected, actual);
  }
  return withoutVolatile(expected, record.volatile) === withoutVolatile(actual, record.volatile)
    ? undefined
    : show(`members other than ${record.volatile.join(' ')}`, expected, actual);
}

function isLooselyEqual({ response, jdk8 }: HttpRecord, actual: string): boolean {
  if (actual === jdk8) return true;
  const classOf = (text: string): string | undefined => /class [\w.$]+ :/.exec(text)?.[0];
  const expected = classOf(response ?? '');
  return expected !== undefined && expected === classOf(actual);
}
