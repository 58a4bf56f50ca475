import { setImmediate as nextTurn } from 'node:timers/promises';
import Fastify, {} from 'fastify';
import { GraphQLError, validate } from 'graphql';
import mercurius from 'mercurius';
import { chainResolvers } from './chain-resolvers.js';
import { serveGraphiql } from './graphiql.js';
import { shownError } from './graphql-errors.js';
import { createGraphqlSource } from './graphql-source.js';
import { LogTail } from './log-tail.js';
import { GIVE_UP_MS, STALL_MS } from './patience.js';
import { checkQueryLimits } from './query-limits.js';
import { queryResolvers } from './query-resolvers.js';
import { scalars } from './scalars.js';
import { chainSchema } from './schema-chain.js';
import { historySchema } from './schema-history.js';
import { operationSchema } from './schema-operations.js';
import { stateSchema } from './schema-state.js';
import { stateResolvers } from './state-resolvers.js';
import { subscriptionResolvers } from './subscription-resolvers.js';
/** The whole schema, with a description on every field that does not explain itself. */
export const graphqlSchema = [chainSchema, stateSchema, historySchema, operationSchema].join('\n');
/** Queries have the size of text that people write. */
const BODY_BYTES_MAX = 256 * 1024;
/**
 * Tokens of a query: parsing and validating are bounded before any limit of depth or cost can be looked at. Graphql compares equal
 * fields pair by pair: 5,000 tokens of them hold the thread for more than a second, these for some 20 ms. Tools ask for the schema
 * with 250.
 */
const TOKENS_MAX = 1_000;
/** Open connections, WebSockets included; a subscriber holds some 50 kB. */
const CONNECTIONS_MAX = 4_000;
/** A request and its head must arrive within these times, ms: half of one may not hold its connection for ever, as Fastify has it. */
const REQUEST_TIMEOUT_MS = 60_000;
const HEAD_TIMEOUT_MS = 30_000;
/** Requests that take too long are looked for at this pace, ms. */
const LOOK_MS = 5_000;
/** Keeps WebSockets alive through proxies, which close silent ones after a minute. */
const KEEP_ALIVE_MS = 20_000;
/** GraphQL at /graphql (POST, GET, WebSocket) and GraphiQL at /graphiql; not yet listening. */
export async function createGraphqlServer(options) {
    const { ledger, log, patience = { stallMs: STALL_MS, giveUpMs: GIVE_UP_MS } } = options;
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
    const report = (error) => log.error({ err: error, api: 'graphql' }, 'a query failed');
    await app.register(mercurius, {
        schema: graphqlSchema,
        resolvers: {
            ...scalars(options.api.settings.addressPrefix),
            ...chainResolvers(source),
            ...stateResolvers(source),
            Query: queryResolvers(source),
            Subscription: subscriptionResolvers({ source, tail, patience }),
        }, // Mercurius' type of resolvers knows neither parts of scalars nor parents of our own types.
        graphql: { parseOptions: { maxTokens: TOKENS_MAX } },
        errorFormatter: (execution) => ({
            statusCode: 200,
            response: {
                data: execution.data ?? null,
                errors: execution.errors.flatMap(partsOf).map((error) => shownError(error, report)),
            },
        }),
        subscription: {
            keepAlive: KEEP_ALIVE_MS,
            context: (socket) => ({ connection: { socket, subscriptions: 0 } }),
        },
    });
    addLimits(app);
    serveGraphiql(app);
    app.addHook('preClose', async () => {
        await tail.close();
        for (const socket of sockets)
            socket.destroy();
    });
    return app;
}
function openSockets(server) {
    const sockets = new Set();
    server.on('connection', (socket) => {
        sockets.add(socket);
        socket.once('close', () => sockets.delete(socket));
    });
    return sockets;
}
function addLimits(app) {
    const { graphql } = app;
    graphql.addHook('preExecution', async (schema, document, _context, variables) => {
        checkQueryLimits(schema, document, (variables ?? {}));
        // Validating may have taken long, and so may the answer, which is made in one turn: it sees one state.
        await nextTurn();
    });
    // Mercurius executes subscriptions without validating them, and tells no variables here.
    graphql.addHook('preSubscriptionExecution', async (schema, document) => {
        checkSubscription(schema, document);
    });
}
function checkSubscription(schema, document) {
    const [error] = validate(schema, document);
    if (error !== undefined)
        throw error;
    checkQueryLimits(schema, document);
}
/** A refused query carries the list of what is wrong with it inside one error. */
function partsOf(error) {
    const { originalError } = error;
    const parts = originalError?.errors;
    if (!Array.isArray(parts))
        return [error];
    return parts.map((part) => part instanceof GraphQLError ? part : new GraphQLError(String(part.message), { originalError: part }));
}
//# sourceMappingURL=graphql-server.js.map