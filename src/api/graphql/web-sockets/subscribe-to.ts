import { type GraphQLSchema, getOperationAST, parse, subscribe, validate } from 'graphql';
import { GraphqlErrors, graphqlError } from '../graphql-errors.js';
import { checkQueryLimits, checkQueryText, TOKENS_OF_QUERY_MAX } from '../query-limits.js';
import type { SubscriberContext, subscriptionResolvers } from '../resolvers/subscription-resolvers.js';
import type { Subscribed } from './subscription-connection.js';

/** Payload of the message that starts a subscription. The client may have sent any value. */
type Payload = Readonly<Record<'query' | 'variables' | 'operationName', unknown>>;

/**
 * Adds the resolvers of subscriptions to a schema, and returns a function that starts a subscription.
 * @throws {GraphQLError | GraphqlErrors} the returned function throws them if the subscription is invalid
 */
export function subscribeTo(
  schema: GraphQLSchema,
  resolvers: ReturnType<typeof subscriptionResolvers>,
): (payload: unknown, context: SubscriberContext) => Promise<Subscribed> {
  const fields = schema.getSubscriptionType()?.getFields() ?? {};
  for (const [name, resolver] of Object.entries(resolvers)) Object.assign(fields[name] ?? {}, resolver);
  return async (payload, contextValue) => {
    const { query, variables, operationName } = (payload ?? {}) as Payload;
    if (typeof query !== 'string') throw graphqlError('BAD_VALUE', 'the payload has no query');
    checkQueryText(query);
    const document = parse(query, { maxTokens: TOKENS_OF_QUERY_MAX });
    const [invalid] = validate(schema, document, undefined, { maxErrors: 1 });
    if (invalid !== undefined) throw invalid;
    const name = typeof operationName === 'string' ? operationName : null;
    if (getOperationAST(document, name)?.operation !== 'subscription')
      throw graphqlError('NOT_A_SUBSCRIPTION', 'only subscriptions are possible here; send queries over HTTP');
    // The limits assume the maximum values of the variables, because the values may not be valid.
    checkQueryLimits(schema, document);
    const variableValues = isObject(variables) ? variables : {};
    const result = await subscribe({ schema, document, contextValue, variableValues, operationName: name });
    if (Symbol.asyncIterator in result) return result;
    throw new GraphqlErrors(result.errors ?? []);
  };
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
