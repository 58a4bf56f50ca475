import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import type { FastifyInstance } from 'fastify';
import type { ApiContext } from '../../../src/api/context/api-context.js';
import { createGraphqlServer } from '../../../src/api/graphql/graphql-server.js';
import type { ReplicaStatus } from '../../../src/api/graphql/node-progress.js';
import type { Chain } from '../../../src/chain/chain.js';
import { NO_FLAGS } from '../../../src/config/flags.js';
import { loadConfig } from '../../../src/config/load-config.js';
import { openChain } from '../../../src/node/open-chain.js';
import { startProjections } from '../../../src/node/serving/secondary-projections.js';
import { servedLocally } from '../../../src/node/serving/served-node.js';
import { fromHex } from '../../../src/primitives/bytes.js';
import type { Retention } from '../../../src/projections/ledger/ledger.js';
import { decodeBlock } from '../../../src/state-transition/block/decoded-block.js';
import type { SinkStatus } from '../../../src/streams/forwarding/sink-status.js';
import { silent } from '../projections/chain.js';
import { temporaryFolder } from '../temporary-folder.js';
import { golden } from '../tronicle.js';

/**
 * A block recorded from java-tron: encoded block, transaction results, and changed rows by store and key. All bytes are
 * hex.
 */
export interface RecordedBlock {
  readonly num: number;
  readonly id: string;
  readonly block: string;
  /** Encoded `TransactionRet` of the block, in hex. */
  readonly infos: string;
  readonly diff: Readonly<Record<string, Readonly<Record<string, string | null>>>>;
}

export interface ServedChain {
  readonly app: FastifyInstance;
  readonly api: ApiContext;
  readonly chain: Chain;
  readonly recorded: readonly RecordedBlock[];
  /** Imports recorded blocks up to a height. */
  pushTo(height: number): Promise<void>;
  query(query: string, variables?: object): Promise<Reply>;
}

export interface Reply {
  // The shape of the data depends on the query. Tests compare the data with literals.
  readonly data: Readonly<Record<string, unknown>>;
  readonly errors?: readonly { readonly message: string; readonly extensions: Readonly<Record<string, unknown>> }[];
}

/** Serves GraphQL over a ledger into which a recording was imported. */
export async function serveRecording(
  t: { teardown(run: () => void | Promise<void>): void },
  name: string,
  {
    until = Number.POSITIVE_INFINITY,
    retention = 'all',
    projections: names = [],
    sinks = () => [],
    replica = () => undefined,
    storageProblem = () => undefined,
  }: {
    until?: number;
    retention?: Retention;
    projections?: readonly string[];
    sinks?: () => readonly SinkStatus[];
    replica?: () => ReplicaStatus | undefined;
    storageProblem?: () => string | undefined;
  } = {},
): Promise<ServedChain> {
  const folder = join(golden, name);
  const { config: read } = loadConfig({ file: join(folder, 'config.conf'), flags: NO_FLAGS });
  const config = { ...read, tronicle: { ...read.tronicle, history: { retention } } };
  const recorded = gunzipSync(readFileSync(join(folder, 'blocks.ndjson.gz')))
    .toString()
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as RecordedBlock);
  const dataDir = temporaryFolder(t);
  const chain = await openChain({ config, dataDir, log: silent });
  const { api, retainChanges } = servedLocally({ chain, config, log: silent, now: () => 0 });
  const { ledger, state } = chain;
  const { addressPrefix } = config;
  const projections = startProjections({
    ledger,
    retainChanges,
    dataDir,
    names,
    addressPrefix,
    log: silent,
  });
  const { histories } = projections;
  const progress = { projections: () => projections.progress(), sinks, replica, storageProblem };
  const app = await createGraphqlServer({ ledger, rules: state.rules, api, histories, progress, log: silent });
  t.teardown(async () => {
    await app.close();
    await projections.close();
    await chain.ledger.close();
  });
  const pushTo = async (height: number): Promise<void> => {
    const first = chain.ledger.position.headNumber + 1;
    for (const { num, block } of recorded)
      if (num >= first && num <= height) chain.importBlock(decodeBlock(fromHex(block)));
    await chain.ledger.flush();
  };
  await pushTo(until);
  return { app, api, chain, recorded, pushTo, query: (query, variables) => postQuery(app, query, variables) };
}

export async function postQuery(app: FastifyInstance, query: string, variables: object = {}): Promise<Reply> {
  const reply = await app.inject({ method: 'POST', url: '/graphql', payload: { query, variables } });
  return reply.json<Reply>();
}
