import type { FastifyInstance, FastifyRequest } from 'fastify';
import { type DocumentNode, type GraphQLSchema, Kind, parse, validate } from 'graphql';
import { dropOldest } from '../../primitives/drop-oldest.js';
import type { GraphqlPool, GraphqlRequest, SentProgress } from './graphql-pool.js';
import { checkQueryLimits, checkQueryText, TOKENS_OF_QUERY_MAX } from './query-limits.js';

/**
 * A query above this cost runs in the call pool (worker threads). The cost corresponds to about 5 ms of the API thread.
 * `readCosts` defines the unit.
 */
const EXPENSIVE_COST = 1_000;
/** Number of parsed queries in the cache. Clients repeat a few queries, and change only the variables. */
const DOCUMENTS_MAX = 100;
/** Maximum length of the text of a cached query, in characters. */
const DOCUMENT_LENGTH_MAX = 8_192;
const PATH = '/graphql';

interface Options {
  readonly pool: GraphqlPool;
  readonly progress: () => SentProgress;
}

/**
 * Runs expensive queries in the call pool (worker threads), so that they do not delay other clients. All other
 * requests, including invalid requests and subscriptions, continue to the GraphQL route.
 */
export function delegateExpensiveQueries(app: FastifyInstance, { pool, progress }: Options): void {
  const documents = new Map<string, DocumentNode>();
  const documentOf = (schema: GraphQLSchema, text: string): DocumentNode | undefined => {
    const known = documents.get(text);
    if (known !== undefined) return known;
    checkQueryText(text);
    const document = parse(text, { maxTokens: TOKENS_OF_QUERY_MAX });
    if (validate(schema, document, undefined, { maxErrors: 1 }).length > 0) return undefined;
    if (text.length <= DOCUMENT_LENGTH_MAX) documents.set(text, document);
    if (documents.size > DOCUMENTS_MAX) dropOldest(documents);
    return document;
  };
  const isExpensive = ({ query, variables }: GraphqlRequest): boolean => {
    const { schema } = app.graphql;
    try {
      const document = documentOf(schema, query);
      return (
        document !== undefined && isQuery(document) && checkQueryLimits(schema, document, variables) > EXPENSIVE_COST
      );
    } catch {
      // The request is invalid, and the GraphQL route will report the error.
      return false;
    }
  };
  app.addHook('preHandler', async (request, reply) => {
    const graphqlRequest = readRequest(request);
    if (graphqlRequest === undefined || !isExpensive(graphqlRequest)) return;
    const { status, text } = await pool.graphql(graphqlRequest, progress());
    return reply.code(status).type('application/json; charset=utf-8').send(text);
  });
}

function isQuery({ definitions }: DocumentNode): boolean {
  return definitions.every((each) => each.kind !== Kind.OPERATION_DEFINITION || each.operation === 'query');
}

/** Returns the GraphQL request; undefined if the HTTP request does not contain exactly one query. */
function readRequest({ method, routeOptions, body, query }: FastifyRequest): GraphqlRequest | undefined {
  if (routeOptions.url !== PATH || (method !== 'POST' && method !== 'GET')) return undefined;
  if (method === 'POST' && typeof body === 'string') return { query: body };
  const parameters = (method === 'POST' ? body : query) as Readonly<Record<string, unknown>> | null | undefined;
  if (typeof parameters !== 'object' || parameters === null || typeof parameters['query'] !== 'string')
    return undefined;
  const variables = readVariables(parameters['variables']);
  const { operationName } = parameters;
  return {
    query: parameters['query'],
    ...(variables && { variables }),
    ...(typeof operationName === 'string' && { operationName }),
  };
}

/** Returns the variables of a request. In a GET request, they are JSON text. */
function readVariables(value: unknown): Readonly<Record<string, unknown>> | undefined {
  if (typeof value === 'object' && value !== null) return value as Readonly<Record<string, unknown>>;
  try {
    return typeof value === 'string' ? (JSON.parse(value) as Readonly<Record<string, unknown>>) : undefined;
  } catch {
    return undefined;
  }
}
