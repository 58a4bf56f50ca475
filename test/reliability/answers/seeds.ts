import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { ServerName } from '../../../src/api/servers.js';
import { sha256Hex } from '../../../src/crypto/hash.js';
import { utf8 } from '../../../src/primitives/bytes.js';
import { readLines } from '../../conformance/recording.js';
import { eachMember, type JsonTree, parseTree, printTree } from './json-tree.js';
import type { ValuePool } from './mutate-json.js';

/** A recorded HTTP request, from which other requests are created. */
export interface HttpSeed {
  readonly server: ServerName;
  readonly method: string;
  readonly path: string;
  /** Body of the request, or its query string. */
  readonly tree: JsonTree;
}

export interface GrpcSeed {
  readonly server: ServerName;
  readonly path: string;
  readonly body: Buffer;
}

export interface Seeds {
  readonly http: readonly HttpSeed[];
  readonly jsonrpc: readonly JsonTree[];
  readonly grpc: readonly GrpcSeed[];
  readonly pool: ValuePool;
  /** Byte values in the recorded gRPC requests, in hex. */
  readonly bytes: readonly string[];
  /** Encoded transactions that were broadcast, in hex. */
  readonly transactions: readonly string[];
  /** Private keys of accounts of the chain, in hex. */
  readonly keys: readonly string[];
}

interface Recorded {
  readonly phase: string;
  readonly server: ServerName;
  readonly method: string;
  readonly path: string;
  readonly body?: string | null;
  readonly request?: string | null;
  readonly requestHex?: string;
}

const LONGEST = 20_000;

/** Reads the recorded requests of a chain and collects the values in them. */
export async function readSeeds(recording: string): Promise<Seeds> {
  const values = new Map<string, Set<string>>();
  const note = (name: string, value: JsonTree): void => {
    const key = name.replaceAll('"', '');
    const text = printTree(value);
    if (text.length > LONGEST) return;
    const known = values.get(key);
    if (known === undefined) values.set(key, new Set([text]));
    else known.add(text);
  };
  const http: HttpSeed[] = [];
  const transactions: string[] = [];
  for await (const record of readLines<Recorded>(join(recording, 'http.ndjson.gz'))) {
    const { phase, server, method, body } = record;
    const sent = /^{"transaction": ?"([0-9a-f]+)"}$/.exec(body ?? '')?.[1];
    if (phase === 'pending' && sent !== undefined) transactions.push(sent);
    const [path = '', query = ''] = record.path.split('?');
    if (phase !== 'query' || !/^\/(wallet|net|monitor)/.test(path) || (method !== 'GET' && method !== 'POST')) continue;
    const tree = body === null || body === undefined ? treeOfQuery(query) : parseTree(body);
    if (tree === undefined || (body?.length ?? 0) > LONGEST) continue;
    eachMember(tree, note);
    http.push({ server, method, path, tree });
  }
  const jsonrpc: JsonTree[] = [];
  for await (const { request } of readLines<Recorded>(join(recording, 'jsonrpc.ndjson.gz'))) {
    const tree = request === null || request === undefined ? undefined : parseTree(request);
    if (tree === undefined || request?.includes('{{')) continue;
    eachMember(tree, note);
    noteParameters(tree, note);
    jsonrpc.push(tree);
  }
  const grpc: GrpcSeed[] = [];
  const bytes = new Set<string>();
  for await (const { phase, server, method, requestHex } of readLines<Recorded>(join(recording, 'grpc.ndjson.gz'))) {
    if (phase === 'pending' && requestHex !== undefined && method.endsWith('/BroadcastTransaction'))
      transactions.push(requestHex);
    if (phase !== 'query' || requestHex === undefined || method.startsWith('grpc.')) continue;
    const body = Buffer.from(requestHex, 'hex');
    grpc.push({ server, path: method, body });
    for (const [found] of requestHex.matchAll(/(?<=15)41[0-9a-f]{40}|(?<=20)[0-9a-f]{64}/g)) bytes.add(found);
  }
  const pool = new Map([...values].map(([key, set]) => [key, [...set]]));
  return { http, jsonrpc, grpc, pool, bytes: [...bytes], transactions, keys: keysOf(recording) };
}

/**
 * Returns the private keys in the recording's `keys.json`. Also returns the keys of 16 accounts that recorded requests
 * use, which are derived from the name of the recording.
 */
function keysOf(recording: string): string[] {
  const written = JSON.parse(readFileSync(join(recording, 'keys.json'), 'utf8')) as Record<string, string>;
  const named = Array.from({ length: 16 }, (_, at) => sha256Hex(utf8(`${basename(recording)}/api/${at}`)));
  return [...Object.values(written), ...named];
}

function treeOfQuery(query: string): JsonTree {
  const members = [...new URLSearchParams(query)].map(([name, value]): [string, JsonTree] => [
    `"${name.replaceAll('"', '')}"`,
    { kind: 'raw', text: JSON.stringify(value) },
  ]);
  return { kind: 'object', members };
}

/** Passes each JSON-RPC parameter to `note` under the name `params`, regardless of its method and position. */
function noteParameters(tree: JsonTree, note: (name: string, value: JsonTree) => void): void {
  if (tree.kind !== 'object') return;
  for (const [name, value] of tree.members) {
    if (name !== '"params"' || value.kind !== 'array') continue;
    for (const item of value.items) if (item.kind === 'raw') note('params', item);
  }
}
