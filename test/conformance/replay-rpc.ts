import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { request as httpRequest } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { Client, credentials } from '@grpc/grpc-js';
import type { FastifyInstance } from 'fastify';
import pino from 'pino';
import { answerCall } from '../../src/api/grpc/answer-call.js';
import type { GrpcCall } from '../../src/api/grpc/grpc-method.js';
import type { GrpcReply } from '../../src/api/grpc/grpc-reply.js';
import { GrpcServer } from '../../src/api/grpc/grpc-server.js';
import { grpcServices } from '../../src/api/grpc/services.js';
import { type ServerName, serverViews } from '../../src/api/servers.js';
import type { Chain } from '../../src/chain/chain.js';
import { Transaction, TransactionExtention } from '../../src/codec/generated/messages.js';
import { parseFlags } from '../../src/config/flags.js';
import { loadConfig } from '../../src/config/load-config.js';
import { printMessage } from '../../src/encoding/json/print-message.js';
import { openChain } from '../../src/node/open-chain.js';
import { reflectionOf } from '../../src/node/serving/serve-grpc.js';
import { createHttpServers } from '../../src/node/serving/serve-http.js';
import { createRpcServers } from '../../src/node/serving/serve-jsonrpc.js';
import { type ServedNode, servedLocally } from '../../src/node/serving/served-node.js';
import { decodeBlock } from '../../src/state-transition/block/decoded-block.js';
import { flagsOf, readLines } from './recording.js';
import { isOfContainer } from './replay-http.js';
import type { Report } from './replay-session.js';
import { withoutVolatile } from './without-volatile.js';

type Part = string | readonly [unit: string, count: number];

interface CallRecord {
  readonly seq: number;
  readonly phase: 'settle' | 'filters' | 'query' | 'pending';
  readonly head: number;
  readonly server: ServerName;
  readonly method?: string;
  readonly path?: string;
  readonly volatile: readonly string[] | boolean;
  readonly volatileFields?: readonly string[];
  readonly loose?: boolean;
  readonly jdk8?: string;
  readonly status: number | string;
}

interface JsonRpcRecord extends CallRecord {
  readonly kind: 'jsonrpc';
  readonly request: string | null;
  readonly contentType?: string | null;
  readonly status: number;
  readonly type: string | null;
  readonly allow?: string;
  readonly response: string;
  readonly save?: Readonly<Record<string, string>>;
  readonly uses?: readonly string[];
}

interface GrpcRecord extends CallRecord {
  readonly kind: 'grpc';
  readonly method: string;
  readonly requestHex?: string;
  readonly requestGen?: { readonly parts: readonly Part[] };
  readonly status: string;
  readonly responseHex?: string;
  readonly details?: string;
}

/** A broadcast over HTTP. It is only sent, because `replay-http.ts` compares its answer. */
interface HttpBroadcast extends CallRecord {
  readonly kind: 'http';
  readonly path: string;
  readonly body?: string | null;
}

const STATUS_NAMES: Readonly<Record<number, string>> = {
  0: 'OK',
  2: 'UNKNOWN',
  3: 'INVALID_ARGUMENT',
  12: 'UNIMPLEMENTED',
  13: 'INTERNAL',
  14: 'UNAVAILABLE',
};
/**
 * Text in the client version that java-tron returns on Java 17, the Java of the recording machine. On Java 8, which
 * released nodes use, the version contains `Java1.8`.
 */
const JAVA_17_VERSION = 'No match found';

export function hasRpcFiles(folder: string): boolean {
  return existsSync(join(folder, 'jsonrpc.ndjson.gz'));
}

/** Imports the chain of a folder. Sends every recorded request over JSON-RPC and gRPC and compares the answers. */
export async function replayRpc(folder: string, name: string, onDifference: (text: string) => void): Promise<Report> {
  const report: Report = { name, operations: 0, mismatched: 0, first: undefined };
  const replay = await RpcReplay.open(folder);
  try {
    for (const record of await readRecords(folder)) {
      await replay.importTo(record.head);
      const difference = await replay.request(record);
      if (record.kind !== 'http' && record.phase !== 'settle') report.operations++;
      if (difference === undefined) continue;
      report.mismatched++;
      report.first ??= difference;
      onDifference(difference);
    }
  } finally {
    await replay.close();
  }
  return report;
}

async function readRecords(folder: string): Promise<(JsonRpcRecord | GrpcRecord | HttpBroadcast)[]> {
  const records: (JsonRpcRecord | GrpcRecord | HttpBroadcast)[] = [];
  for await (const record of readLines<JsonRpcRecord>(join(folder, 'jsonrpc.ndjson.gz'))) {
    records.push({ ...record, kind: 'jsonrpc' });
  }
  for await (const record of readLines<GrpcRecord>(join(folder, 'grpc.ndjson.gz'))) {
    records.push({ ...record, kind: 'grpc' });
  }
  for await (const record of readLines<HttpBroadcast>(join(folder, 'http.ndjson.gz'))) {
    if (record.phase !== 'query' && record.path.includes('broadcast')) records.push({ ...record, kind: 'http' });
  }
  return records.sort((a, b) => a.head - b.head || a.seq - b.seq);
}

class RpcReplay {
  private readonly blocks: AsyncGenerator<{ num: number; block?: string }>;
  private readonly saved = new Map<string, string>();
  private readonly services: Readonly<Record<ServerName, ReturnType<typeof grpcServices>>>;
  private readonly remembered: ServedNode['remembered'];

  private readonly dataDir: string;
  private readonly chain: Chain;
  private readonly api: ServedNode['api'];
  private readonly node: ServedNode;
  private readonly rpc: ReturnType<typeof createRpcServers>;
  private readonly http: ReadonlyMap<ServerName, FastifyInstance>;

  private constructor(folder: string, dataDir: string, chain: Chain, node: ServedNode) {
    this.blocks = readLines(join(folder, 'blocks.ndjson.gz'));
    this.dataDir = dataDir;
    this.chain = chain;
    this.api = node.api;
    this.node = node;
    this.remembered = node.remembered;
    const { settings } = node.api;
    this.services = {
      fullnode: grpcServices('fullnode', settings),
      solidity: grpcServices('solidity', settings),
      pbft: grpcServices('pbft', settings),
    };
    this.rpc = createRpcServers(node);
    this.http = createHttpServers(node);
  }

  static async open(folder: string): Promise<RpcReplay> {
    const dataDir = mkdtempSync(join(tmpdir(), 'tronicle-'));
    const { config } = loadConfig({
      file: join(folder, 'config.conf'),
      flags: parseFlags(flagsOf(folder).filter((flag) => flag !== '--no-repush')).flags,
      defaults: { 'tronicle.history.retention': 'all' },
    });
    const log = pino({ level: 'fatal' });
    const chain = await openChain({ config, dataDir, log });
    const node = servedLocally({ chain, config, log, now: Date.now });
    const replay = new RpcReplay(folder, dataDir, chain, node);
    for (const server of replay.rpc.servers.values()) await server.listen({ port: 0, host: '127.0.0.1' });
    return replay;
  }

  async importTo(height: number): Promise<void> {
    while (this.chain.ledger.position.headNumber < height) {
      const { value } = await this.blocks.next();
      if (value.num === 0) continue;
      this.chain.importBlock(decodeBlock(Buffer.from(value.block!, 'hex')));
      this.chain.mempool.clear();
    }
    // Filters match only blocks that are committed.
    await this.chain.ledger.flush();
  }

  /** @returns the difference between both answers; undefined if they are equal */
  async request(record: JsonRpcRecord | GrpcRecord | HttpBroadcast): Promise<string | undefined> {
    if (record.kind === 'grpc') return this.requestGrpc(record);
    if (record.kind === 'jsonrpc') return this.requestJsonRpc(record);
    const { path, body } = record;
    await this.http
      .get('fullnode')!
      .inject({ method: 'POST', url: path, ...(body && { payload: body, headers: { 'content-type': 'text/plain' } }) });
    return undefined;
  }

  async close(): Promise<void> {
    await this.rpc.close();
    for (const server of this.http.values()) await server.close();
    await this.blocks.return(undefined);
    await this.chain.ledger.close();
    rmSync(this.dataDir, { recursive: true, force: true });
  }

  private async requestGrpc(record: GrpcRecord): Promise<string | undefined> {
    const bytes = Buffer.from(record.requestHex ?? joinParts(record.requestGen!.parts), 'hex');
    const call = (): GrpcCall => ({
      api: this.api,
      view: this.api.view(serverViews[record.server]),
      remembered: this.remembered,
    });
    const reply = record.method.startsWith('grpc.reflection.')
      ? await this.requestReflection(record, bytes, call)
      : await answerCall(this.services[record.server], record.method, bytes, call);
    const hex = Buffer.from(reply.bytes).toString('hex');
    const found = `${STATUS_NAMES[reply.status]} ${reply.status === 0 ? shownReply(record, hex) : reply.details}`;
    const expected =
      record.status === 'OK'
        ? `OK ${shownReply(record, record.responseHex ?? '')}`
        : `${record.status} ${record.details ?? ''}`;
    if (found === expected || (record.loose === true && found.startsWith(`${record.status} `))) return undefined;
    return `#${record.seq} ${record.server} ${record.method} ${bytes.toString('hex').slice(0, 300)}${difference(expected, found)}`;
  }

  /** Sends a reflection request to a server, because only the server has the reflection service. */
  private async requestReflection(
    { server: name, method }: GrpcRecord,
    request: Buffer,
    call: () => GrpcCall,
  ): Promise<GrpcReply> {
    const { config, log } = this.node;
    const { release } = this.api.settings;
    const reflection = reflectionOf(config, release);
    const server = new GrpcServer({
      server: name,
      release,
      call,
      disabled: [],
      limits: config.node.rpc,
      reflection,
      log,
    });
    const client = new Client(
      `127.0.0.1:${await server.listen({ port: 0, host: '127.0.0.1' })}`,
      credentials.createInsecure(),
    );
    const same = (bytes: Buffer): Buffer => bytes;
    const reply = await new Promise<GrpcReply>((resolve) => {
      client.makeUnaryRequest(`/${method}`, same, same, request, (error, bytes) =>
        resolve({ status: error?.code ?? 0, details: error?.details ?? '', bytes: bytes ?? Buffer.alloc(0) }),
      );
    });
    client.close();
    await server.close();
    return reply;
  }

  private async requestJsonRpc(record: JsonRpcRecord): Promise<string | undefined> {
    let request = record.request ?? '';
    for (const name of record.uses ?? []) request = request.replaceAll(`{{${name}}}`, this.saved.get(name) ?? '');
    const address = this.rpc.servers.get(record.server)!.server.address();
    const port = typeof address === 'object' && address !== null ? address.port : 0;
    const reply = await sendRaw(port, record, request);
    const where = `#${record.seq} ${record.server} ${record.method ?? 'POST'} ${record.path ?? ''} ${request.slice(0, 500)}`;
    for (const name of Object.keys(record.save ?? {})) {
      this.saved.set(name, (JSON.parse(reply.body) as { result: string }).result);
    }
    if (isOfContainer({ ...record, method: record.method ?? 'POST' }))
      return reply.status >= 400 ? undefined : `${where}${difference('an error', String(reply.status))}`;
    const shape = [reply.status, reply.type ?? null, record.allow === undefined ? '' : reply.allow].join(' ');
    const expectedHead = [record.status, record.type, record.allow?.replace('TRACE, ', '') ?? ''].join(' ');
    if (shape !== expectedHead) return `${where}${difference(expectedHead, shape)}`;
    const pointers = record.volatile as readonly string[];
    if (pointers.includes('') || reply.body === record.response || reply.body === record.jdk8) return undefined;
    if (record.response.includes(JAVA_17_VERSION) && reply.body.includes('Java1.8')) return undefined;
    const shown = (text: string): string => (pointers.length === 0 ? text : withoutVolatile(text, pointers));
    const found = shown(reply.body);
    const expected = shown(record.response);
    return found === expected ? undefined : `${where}${difference(expected, found)}`;
  }
}

function difference(expected: string, found: string): string {
  return `\n   expected ${expected.slice(0, 9000)}\n   here     ${found.slice(0, 9000)}`;
}

/** Returns the bytes of a reply in hex. If the reply has volatile fields, returns the decoded reply without them. */
function shownReply({ volatile, volatileFields }: GrpcRecord, hex: string): string {
  if (volatile !== true) return hex;
  const [first = ''] = volatileFields ?? [];
  const type = first.startsWith('/raw_data')
    ? Transaction
    : /^\/(transaction|txid)/.test(first)
      ? TransactionExtention
      : undefined;
  if (type === undefined) return '';
  return withoutVolatile(printMessage(type.decode(Buffer.from(hex, 'hex')), false, 'fastjson'), volatileFields ?? []);
}

function joinParts(parts: readonly Part[]): string {
  return parts.map((part) => (typeof part === 'string' ? part : part[0].repeat(part[1]))).join('');
}

interface Reply {
  readonly status: number;
  readonly type: string | undefined;
  readonly allow: string | undefined;
  readonly body: string;
}

/** Sends a request whose target is exactly the recorded text. `fetch` would resolve the path. */
function sendRaw(
  port: number,
  { method = 'POST', path = '/jsonrpc', request }: JsonRpcRecord,
  body: string,
): Promise<Reply> {
  const send = httpRequest;
  return new Promise((resolve, reject) => {
    const bytes = Buffer.from(body);
    const headers = request === null ? {} : { 'content-type': 'application/json', 'content-length': bytes.length };
    const call = send({ port, host: '127.0.0.1', method, path, headers, agent: false }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () =>
        resolve({
          status: response.statusCode ?? 0,
          type: response.headers['content-type'],
          allow: response.headers.allow,
          body: Buffer.concat(chunks).toString(),
        }),
      );
    });
    call.on('error', reject);
    call.end(request === null ? undefined : bytes);
  });
}
