import {
  type ExecutionArgs,
  type ExecutionResult,
  type GraphQLError,
  type GraphQLSchema,
  getOperationAST,
  locatedError,
  parse,
  validate,
} from 'graphql';
import { makeServer, type Server, type SubscribePayload } from 'graphql-ws';
import { graphqlError } from '../graphql-errors.js';
import { checkQueryLimits, checkQueryText, TOKENS_OF_QUERY_MAX } from '../query-limits.js';
import type { SubscriberContext, subscriptionResolvers } from '../resolvers/subscription-resolvers.js';

export type SubscriptionServer = Server<SubscriberContext>;

interface SubscriptionServerOptions {
  readonly schema: GraphQLSchema;
  readonly resolvers: ReturnType<typeof subscriptionResolvers>;
  /** Converts errors to those that the client receives. An error with a list of errors is replaced by this list. */
  readonly shownErrors: (errors: readonly GraphQLError[]) => GraphQLError[];
}

/** Time in ms within which a client must send `connection_init`. */
const INIT_TIMEOUT_MS = 10_000;

/**
 * Creates the server of the protocol graphql-transport-ws, and adds the resolvers of subscriptions to the schema. The
 * package `graphql-ws` implements the protocol. This function adds the limits for queries.
 */
export function createSubscriptionServer(options: SubscriptionServerOptions): SubscriptionServer {
  const { schema, resolvers, shownErrors } = options;
  const fields = schema.getSubscriptionType()?.getFields() ?? {};
  for (const [name, resolver] of Object.entries(resolvers)) Object.assign(fields[name] ?? {}, resolver);
  const shown = (errors: readonly GraphQLError[]) => shownErrors(errors).map((error) => error.toJSON());
  return makeServer<Record<string, unknown>, SubscriberContext>({
    connectionInitWaitTimeout: INIT_TIMEOUT_MS,
    onSubscribe: ({ extra }, _, payload) => {
      try {
        return { ...argumentsOf(schema, payload), contextValue: extra };
      } catch (error) {
        return [locatedError(error, undefined)];
      }
    },
    // If a subscription cannot start, the client receives the errors in a message of type `error`. Without this
    // function, it would receive them as an event.
    onOperation: (_, __, ___, ____, result) =>
      Symbol.asyncIterator in result ? undefined : failed((result as ExecutionResult).errors ?? []),
    onNext: (_, __, ___, ____, { data = null, errors }) =>
      errors === undefined ? undefined : { data, errors: shown(errors) },
    onError: (_, __, ___, errors) => shown(errors),
  });
}

/**
 * Returns the arguments of a subscription.
 * @throws {GraphQLError} the query is invalid, is not a subscription, or exceeds a limit
 */
function argumentsOf(schema: GraphQLSchema, { query, variables, operationName }: SubscribePayload): ExecutionArgs {
  checkQueryText(query);
  const document = parse(query, { maxTokens: TOKENS_OF_QUERY_MAX });
  const [invalid] = validate(schema, document, undefined, { maxErrors: 1 });
  if (invalid !== undefined) throw invalid;
  if (getOperationAST(document, operationName)?.operation !== 'subscription')
    throw graphqlError('NOT_A_SUBSCRIPTION', 'only subscriptions are possible here; send queries over HTTP');
  // The limits assume the maximum values of the variables, because the values may not be valid.
  checkQueryLimits(schema, document);
  return { schema, document, variableValues: variables, operationName };
}

/** Returns an event stream whose first read fails with the errors. */
function failed(errors: readonly GraphQLError[]): AsyncIterable<ExecutionResult> {
  return { [Symbol.asyncIterator]: () => ({ next: () => Promise.reject(new AggregateError(errors)) }) };
}
