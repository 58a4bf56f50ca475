import { findMethod } from '../../../src/api/grpc/answer-call.js';
import { grpcServices } from '../../../src/api/grpc/services.js';
import { routesOf } from '../../../src/api/http/route-table.js';
import type { ApiRelease } from '../../../src/api/releases/api-release.js';
import { type ServerName, serverNames } from '../../../src/api/servers.js';
import { grpcRequest } from '../../fuzz/grpc-fuzz.js';
import { depthOf } from '../../fuzz/http-fuzz.js';
import { mutateText } from '../../fuzz/json-cases.js';
import type { Random } from '../../fuzz/random.js';
import { type JsonTree, printTree } from './json-tree.js';
import { mutate, queryOf } from './mutate-json.js';
import { mutateMessage } from './mutate-message.js';
import type { Protocol, Question } from './question.js';
import type { Seeds } from './seeds.js';

const FORM = 'application/x-www-form-urlencoded';
const TYPES = [
  'application/json',
  'text/plain',
  FORM,
  'application/json; charset=utf-8',
  'application/json;charset=iso-8859-1',
  'multipart/form-data; boundary=x',
  undefined,
];

const ACCEPTED = [
  'application/json, text/plain, */*',
  '*/*',
  'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8',
  'text/plain;q=0.3, text/json;q=0.7',
  'application/xml',
];

/**
 * Maximum nesting depth of a request. At greater depths, the stack of a parser may overflow, which depends on the
 * machine.
 */
const DEPTH_MAX = 300;

/** Creates requests by changing recorded requests. Equal random numbers result in equal requests. */
export class QuestionMaker {
  private readonly seeds: Seeds;
  private readonly release: ApiRelease;
  private readonly paths: Readonly<Record<ServerName, readonly string[]>>;

  constructor(seeds: Seeds, release: ApiRelease) {
    this.seeds = seeds;
    this.release = release;
    const pathsOf = (server: ServerName): string[] => [...routesOf(server, release).keys()];
    this.paths = { fullnode: pathsOf('fullnode'), solidity: pathsOf('solidity'), pbft: pathsOf('pbft') };
  }

  /** Creates a request. @param only protocol of the request; if undefined, half of the requests use HTTP */
  make(random: Random, only?: Protocol): Question {
    const share = random.next();
    const protocol = only ?? (share < 0.5 ? 'http' : share < 0.8 ? 'jsonrpc' : 'grpc');
    if (protocol === 'http') return this.makeHttp(random);
    return protocol === 'jsonrpc' ? this.makeJsonRpc(random) : this.makeGrpc(random);
  }

  private makeHttp(random: Random): Question {
    const { seeds } = this;
    // Chooses a path first and then one of its requests, so that paths with many recorded requests are not more
    // frequent.
    const chosen = random.pick(seeds.http).path;
    const path = random.chance(0.5) ? chosen : random.pick(this.paths[random.pick(serverNames)]);
    const same = seeds.http.filter((seed) => seed.path === path);
    const seed = random.pick(same.length === 0 ? seeds.http : same);
    const server = same.length === 0 ? this.serverOf(path) : seed.server;
    const tree = mutate(seed.tree, seeds.pool, random, random.pick([0, 1, 1, 1, 2, 2, 3, 5]));
    const method = random.chance(0.8)
      ? seed.method
      : random.pick(['GET', 'POST', 'GET', 'POST', 'HEAD', 'OPTIONS', 'PUT', 'DELETE', 'PATCH']);
    const accept = random.chance(0.1) ? random.pick(ACCEPTED) : undefined;
    const question = { protocol: 'http', server, method, accept } as const;
    if (method !== 'POST') return { ...question, path: withQuery(path, tree, random) };
    const contentType = random.chance(0.85) ? 'application/json' : random.pick(TYPES);
    const isForm = contentType === FORM && random.chance(0.7);
    return {
      ...question,
      path: random.chance(0.9) ? path : withQuery(path, seed.tree, random),
      contentType,
      body: isForm ? Buffer.from(queryOf(tree, random)) : textOf(tree, random),
    };
  }

  private serverOf(path: string): ServerName {
    return serverNames.find((server) => this.paths[server].includes(path)) ?? 'fullnode';
  }

  private makeJsonRpc(random: Random): Question {
    const { jsonrpc, pool } = this.seeds;
    const one = (): JsonTree => mutate(random.pick(jsonrpc), pool, random, random.pick([0, 1, 1, 1, 2, 2, 3]));
    const tree: JsonTree = random.chance(0.95)
      ? one()
      : { kind: 'array', items: Array.from({ length: random.below(5) }, one) };
    const contentType = random.chance(0.95) ? 'application/json' : random.pick(TYPES);
    const server = random.pick(serverNames);
    return { protocol: 'jsonrpc', server, method: 'POST', path: '/jsonrpc', contentType, body: textOf(tree, random) };
  }

  private makeGrpc(random: Random): Question {
    const { grpc, bytes } = this.seeds;
    const seed = random.pick(grpc);
    const { server, path } = seed;
    const call = { protocol: 'grpc', server, method: 'unary' } as const;
    const found = random.chance(0.3)
      ? findMethod(grpcServices(server, { release: this.release, hasMonitor: true }), path)
      : undefined;
    if (found !== undefined) return { ...call, path, body: grpcRequest(found.request, random) };
    return { ...call, path, body: mutateMessage(seed.body, bytes, random) };
  }
}

function textOf(tree: JsonTree, random: Random): Buffer {
  const text = printTree(tree);
  if (random.chance(0.9)) return Buffer.from(text);
  const mutated = mutateText(text, random);
  return depthOf(mutated) > DEPTH_MAX ? Buffer.from(text) : mutated;
}

function withQuery(path: string, tree: JsonTree, random: Random): string {
  const query = queryOf(tree, random);
  return query === '' ? path : `${path}?${query.slice(0, 6000)}`;
}
