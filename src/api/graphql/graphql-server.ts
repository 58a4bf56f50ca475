import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { type DocumentNode, GraphQLError, getOperationAST, parse } from 'graphql';
import mercurius, { type IResolvers } from 'mercurius';
import type { Logger } from 'pino';
import { createServer } from '../http/server/create-server.js';
import { LOCAL_SOURCES, type RequestSources } from '../http/server/request-sources.js';
import { limitUnfinishedBodies } from '../http/server/unfinished-bodies.js';
import { createMemoryBudgets, type MemoryBudgets } from '../middleware/memory-budgets.js';
import { LogTail } from './events/log-tail.js';
import { delegateExpensiveQueries } from './expensive-queries.js';
import { serveGraphiql } from './graphiql.js';
import { graphqlError, shownError } from './graphql-errors.js';
import type { GraphqlPool } from './graphql-pool.js';
import { createGraphqlSource, type GraphqlSource, type GraphqlSourceOptions } from './graphql-source.js';
import { checkQueryLimits, checkQueryText, TOKENS_OF_QUERY_MAX, type Variables } from './query-limits.js';
import { chainResolvers } from './resolvers/chain-resolvers.js';
import { decodedResolvers } from './resolvers/decoded-resolvers.js';
import { queryResolvers } from './resolvers/query-resolvers.js';
import { stateResolvers } from './resolvers/state-resolvers.js';
import { subscriptionResolvers } from './resolvers/subscription-resolvers.js';
import { scalars } from './scalars.js';
import { chainSchema } from './schema/schema-chain.js';
import { decodedSchema } from './schema/schema-decoded.js';
import { historySchema } from './schema/schema-history.js';
import { indexSchema } from './schema/schema-indexes.js';
import { operationSchema } from './schema/schema-operations.js';
import { stateSchema } from './schema/schema-state.js';
import { CLOSE_TIMEOUT_MS, STALL_MS, type StallLimits } from './stall-guarded-stream.js';
import { serveSubscriptions } from './web-sockets/serve-subscriptions.js';
import { createSubscriptionServer } from './web-sockets/subscription-server.js';

export interface GraphqlServerOptions extends GraphqlSourceOptions {
  /**
   * Rules that select the web pages that may read responses and open WebSockets. Default: pages of this node and of
   * this machine.
   */
  readonly sources?: RequestSources;
  readonly log: Logger;
  /** Time limits for slow subscribers. */
  readonly limits?: StallLimits;
  /** Worker threads for expensive queries. If undefined, this thread runs all queries. */
  readonly pool?: GraphqlPool | undefined;
  /** Memory budgets, which other servers of the thread can share. */
  readonly budgets?: Pick<MemoryBudgets, 'requests'> | undefined;
}

/** Complete schema. Fields have a description, unless their name explains them. */
export const graphqlSchema: string = [
  chainSchema,
  stateSchema,
  historySchema,
  indexSchema,
  operationSchema,
  decodedSchema,
].join('\n');

/** Maximum size of a request body, in bytes. */
const BODY_BYTES_MAX = 256 * 1024;
/**
 * Maximum number of parsed queries in a cache of mercurius. The library has one cache for valid and one for invalid
 * queries. A parsed query of maximum size uses about 0.3 MB.
 */
const DOCUMENTS_MAX = 50;
/** Maximum number of errors in the response to an invalid query. */
const ERRORS_MAX = 10;
/** Maximum number of open connections, including WebSockets. A subscriber uses about 50 kB. */
const CONNECTIONS_MAX = 4_000;
const PATH = '/graphql';

/** Creates the server: GraphQL at /graphql (POST, GET, WebSocket) and GraphiQL at /graphiql. Does not listen yet. */
export async function createGraphqlServer(options: GraphqlServerOptions): Promise<FastifyInstance> {
  const {
    ledger,
    sources = LOCAL_SOURCES,
    log,
    limits = { stallMs: STALL_MS, closeTimeoutMs: CLOSE_TIMEOUT_MS },
  } = options;
  const source = createGraphqlSource(options);
  const tail = new LogTail(ledger);
  const { app } = createServer({ bodyBytesMax: BODY_BYTES_MAX, connectionsMax: CONNECTIONS_MAX, sources });
  const { requests } = options.budgets ?? createMemoryBudgets();
  limitUnfinishedBodies(app, requests);
  // Destroys all sockets at shutdown, because Fastify would otherwise wait for WebSocket clients that do not read.
  const sockets = openSockets(app.server);
  const { progress } = source;
  if (options.pool !== undefined) {
    delegateExpensiveQueries(app, {
      pool: options.pool,
      progress: () => ({
        projections: progress.projections(),
        sinks: progress.sinks(),
        replica: progress.replica(),
        storageProblem: progress.storageProblem(),
        peers: source.api.peers.active,
      }),
    });
  }
  const report = (error: unknown): void => log.error({ err: error, api: 'graphql' }, 'graphql query failed');
  const shown = (errors: readonly GraphQLError[]): GraphQLError[] =>
    errors.flatMap(partsOf).map((error) => shownError(error, report));
  await app.register(mercurius, {
    schema: graphqlSchema,
    resolvers: resolversOf(source) as IResolvers,
    cache: DOCUMENTS_MAX,
    graphql: { parseOptions: { maxTokens: TOKENS_OF_QUERY_MAX }, validateOptions: { maxErrors: ERRORS_MAX } },
    errorFormatter: (execution) => ({
      statusCode: 200,
      response: { data: execution.data ?? null, errors: shown(execution.errors) },
    }),
  });
  serveSubscriptions(app, {
    path: PATH,
    sources,
    messageBytesMax: BODY_BYTES_MAX,
    budget: requests,
    server: createSubscriptionServer({
      schema: app.graphql.schema,
      resolvers: subscriptionResolvers({ source, tail, limits }),
      shownErrors: shown,
    }),
  });
  acceptNullExtensions(app);
  checkGetRequests(app);
  addLimits(app);
  serveGraphiql(app);
  app.addHook('preClose', async () => {
    await tail.close();
    for (const socket of sockets) socket.destroy();
  });
  return app;
}

function resolversOf(source: GraphqlSource) {
  const [chain, decoded] = [chainResolvers(source), decodedResolvers(source)];
  return {
    ...scalars(source.api.settings.addressPrefix),
    ...chain,
    ...stateResolvers(source),
    Log: { ...chain.Log, ...decoded.Log },
    Transaction: { ...chain.Transaction, ...decoded.Transaction },
    Block: { ...chain.Block, ...decoded.Block },
    Query: { ...queryResolvers(source), ...decoded.Query },
  };
}

function openSockets(server: Server): ReadonlySet<Socket> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  return sockets;
}

/**
 * Accepts `extensions: null` in a request. The library mercurius rejects such a request. In the specification of
 * GraphQL over HTTP, null is equivalent to no value, and some clients always send this member.
 */
function acceptNullExtensions(app: FastifyInstance): void {
  app.addHook<{ Body: { extensions?: unknown } | undefined }>('preValidation', async ({ routeOptions, body }) => {
    if (routeOptions.url === PATH && body?.extensions === null) delete body.extensions;
  });
}

/**
 * Rejects GET requests whose operation is not a query with a clear error. The library mercurius would respond with an
 * internal error.
 */
function checkGetRequests(app: FastifyInstance): void {
  app.addHook<{ Querystring: { query?: unknown } }>('preHandler', async (request) => {
    const { method, routeOptions } = request;
    const text = request.query.query;
    if (routeOptions.url !== PATH || method !== 'GET' || typeof text !== 'string') return;
    checkQueryText(text);
    checkOperation(parse(text, { maxTokens: TOKENS_OF_QUERY_MAX }), request);
  });
}

/** @throws {GraphQLError} BAD_VALUE: the request selects no operation; NOT_A_QUERY: the operation is not a query */
function checkOperation(document: DocumentNode, { body, query }: Pick<FastifyRequest, 'body' | 'query'>): void {
  const { operationName: name } = { ...(query as object), ...(body as object) } as { operationName?: string | null };
  const operation = getOperationAST(document, name)?.operation;
  if (operation === 'subscription')
    throw graphqlError('NOT_A_QUERY', `send subscriptions over WebSocket to ${PATH} (graphql-transport-ws)`);
  if (operation === 'mutation') throw graphqlError('NOT_A_QUERY', 'this node has no mutations; send a query');
  if (operation === undefined)
    throw graphqlError('BAD_VALUE', 'operationName selects no operation of the query; send the name of one operation');
}

function addLimits(app: FastifyInstance): void {
  const { graphql } = app;
  graphql.addHook('preParsing', async (_schema, text) => checkQueryText(text));
  graphql.addHook('preExecution', async (schema, document, { reply }, variables) => {
    checkOperation(document, reply.request);
    checkQueryLimits(schema, document, (variables ?? {}) as Variables);
    // Validation may be slow, so other requests run before the execution. The execution then computes the whole answer
    // in one turn, from one state.
    await nextTurn();
  });
}

/** Returns the errors in the list `errors` of an error. Returns the error itself if it has no such list. */
function partsOf(error: GraphQLError): readonly GraphQLError[] {
  const { originalError } = error;
  const parts = (originalError as { errors?: readonly GraphQLError[] } | undefined)?.errors;
  if (!Array.isArray(parts)) return [error];
  return parts.map((part) =>
    part instanceof GraphQLError ? part : new GraphQLError(String((part as Error).message), { originalError: part }),
  );
}
