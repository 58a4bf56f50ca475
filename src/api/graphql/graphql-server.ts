import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import Fastify, { type FastifyInstance } from 'fastify';
import { type DocumentNode, GraphQLError, type GraphQLSchema, validate } from 'graphql';
import mercurius, { type IResolvers } from 'mercurius';
import type { Logger } from 'pino';
import { LogTail } from './events/log-tail.js';
import { serveGraphiql } from './graphiql.js';
import { shownError } from './graphql-errors.js';
import { createGraphqlSource, type GraphqlSource, type GraphqlSourceOptions } from './graphql-source.js';
import { checkQueryLimits, type Variables } from './query-limits.js';
import { chainResolvers } from './resolvers/chain-resolvers.js';
import { decodedResolvers } from './resolvers/decoded-resolvers.js';
import { queryResolvers } from './resolvers/query-resolvers.js';
import { stateResolvers } from './resolvers/state-resolvers.js';
import { type SubscriberContext, subscriptionResolvers } from './resolvers/subscription-resolvers.js';
import { scalars } from './scalars.js';
import { chainSchema } from './schema/schema-chain.js';
import { decodedSchema } from './schema/schema-decoded.js';
import { historySchema } from './schema/schema-history.js';
import { operationSchema } from './schema/schema-operations.js';
import { stateSchema } from './schema/schema-state.js';
import { GIVE_UP_MS, STALL_MS, type StallLimits } from './stall-guarded-stream.js';

interface GraphqlServerOptions extends GraphqlSourceOptions {
  readonly log: Logger;
  /** How long slow subscribers are waited for. */
  readonly limits?: StallLimits;
}

/** The whole schema, with a description on every field that does not explain itself. */
export const graphqlSchema: string = [chainSchema, stateSchema, historySchema, operationSchema, decodedSchema].join(
  '\n',
);

/** Queries have the size of text that people write. */
const BODY_BYTES_MAX = 256 * 1024;
/**
 * Tokens of a query: parsing and validating are bounded before any limit of depth or cost can be looked at. Graphql
 * compares equal fields pair by pair: 5,000 tokens of them hold the thread for more than a second, these for some 20
 * ms. Tools ask for the schema with 250.
 */
export const TOKENS_OF_QUERY_MAX = 1_000;
/** Open connections, WebSockets included; a subscriber holds some 50 kB. */
const CONNECTIONS_MAX = 4_000;
/**
 * A request and its head must arrive within these times, ms: half of one may not hold its connection for ever, as
 * Fastify has it.
 */
const REQUEST_TIMEOUT_MS = 60_000;
const HEAD_TIMEOUT_MS = 30_000;
/** Requests that take too long are looked for at this pace, ms. */
const LOOK_MS = 5_000;
/** Keeps WebSockets alive through proxies, which close silent ones after a minute. */
const KEEP_ALIVE_MS = 20_000;

/** GraphQL at /graphql (POST, GET, WebSocket) and GraphiQL at /graphiql; not yet listening. */
export async function createGraphqlServer(options: GraphqlServerOptions): Promise<FastifyInstance> {
  const { ledger, log, limits = { stallMs: STALL_MS, giveUpMs: GIVE_UP_MS } } = options;
  const source = createGraphqlSource(options);
  const tail = new LogTail(ledger);
  const app = Fastify({
    bodyLimit: BODY_BYTES_MAX,
    forceCloseConnections: true,
    requestTimeout: REQUEST_TIMEOUT_MS,
    http: { headersTimeout: HEAD_TIMEOUT_MS, connectionsCheckingInterval: LOOK_MS },
  });
  app.server.maxConnections = CONNECTIONS_MAX;
  // WebSockets would be asked to close and waited for: a client that does not read must not hold up the node's end.
  const sockets = openSockets(app.server);
  const report = (error: unknown): void => log.error({ err: error, api: 'graphql' }, 'a query failed');
  await app.register(mercurius, {
    schema: graphqlSchema,
    resolvers: resolversOf(source, { tail, limits }) as IResolvers,
    graphql: { parseOptions: { maxTokens: TOKENS_OF_QUERY_MAX } },
    errorFormatter: (execution) => ({
      statusCode: 200,
      response: {
        data: execution.data ?? null,
        errors: execution.errors.flatMap(partsOf).map((error) => shownError(error, report)),
      },
    }),
    subscription: {
      keepAlive: KEEP_ALIVE_MS,
      context: (socket): SubscriberContext => ({ connection: { socket, subscriptions: 0 } }),
    },
  });
  addLimits(app);
  serveGraphiql(app);
  app.addHook('preClose', async () => {
    await tail.close();
    for (const socket of sockets) socket.destroy();
  });
  return app;
}

function resolversOf(source: GraphqlSource, options: { readonly tail: LogTail; readonly limits: StallLimits }) {
  const [chain, decoded] = [chainResolvers(source), decodedResolvers(source)];
  return {
    ...scalars(source.api.settings.addressPrefix),
    ...chain,
    ...stateResolvers(source),
    Log: { ...chain.Log, ...decoded.Log },
    Transaction: { ...chain.Transaction, ...decoded.Transaction },
    Block: { ...chain.Block, ...decoded.Block },
    Query: { ...queryResolvers(source), ...decoded.Query },
    Subscription: subscriptionResolvers({ source, ...options }),
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

function addLimits(app: FastifyInstance): void {
  const { graphql } = app;
  graphql.addHook('preExecution', async (schema, document, _context, variables) => {
    checkQueryLimits(schema, document, (variables ?? {}) as Variables);
    // Validating may have taken long, and so may the answer, which is made in one turn: it sees one state.
    await nextTurn();
  });
  // Mercurius executes subscriptions without validating them, and tells no variables here.
  graphql.addHook('preSubscriptionExecution', async (schema, document) => {
    checkSubscription(schema, document);
  });
}

function checkSubscription(schema: GraphQLSchema, document: DocumentNode): void {
  const [error] = validate(schema, document);
  if (error !== undefined) throw error;
  checkQueryLimits(schema, document);
}

/** A refused query carries the list of what is wrong with it inside one error. */
function partsOf(error: GraphQLError): readonly GraphQLError[] {
  const { originalError } = error;
  const parts = (originalError as { errors?: readonly GraphQLError[] } | undefined)?.errors;
  if (!Array.isArray(parts)) return [error];
  return parts.map((part) =>
    part instanceof GraphQLError ? part : new GraphQLError(String((part as Error).message), { originalError: part }),
  );
}
