import { GraphQLError } from 'graphql';
import { TronError } from '../../primitives/errors.js';
import { javaError } from '../../state-transition/java-errors.js';

/** Codes that are GraphQL's own; those of the node (HISTORY_NOT_KEPT, HEIGHT_UNKNOWN …) are passed on as they are. */
type GraphqlErrorCode =
  | 'BAD_CURSOR'
  | 'BAD_VALUE'
  | 'PAGE_TOO_LARGE'
  | 'QUERY_TOO_DEEP'
  | 'QUERY_TOO_COSTLY'
  | 'SUBSCRIBER_TOO_SLOW'
  | 'SOLIDIFIED_BLOCK_UNDONE'
  | 'TOO_MANY_SUBSCRIPTIONS';

export function graphqlError(
  code: GraphqlErrorCode,
  message: string,
  more: Readonly<Record<string, unknown>> = {},
): GraphQLError {
  return new GraphQLError(message, { extensions: { code, ...more } });
}

/**
 * The error as a client sees it: with a code when it is one that clients can act on, without any detail otherwise.
 * @param report hears of errors that nobody expected
 */
export function shownError(error: GraphQLError, report: (error: unknown) => void): GraphQLError {
  const { originalError, nodes, path } = error;
  if (error.extensions['code'] !== undefined) return error;
  // What graphql itself says of a query or of the value of a variable.
  if (originalError === undefined || originalError === null || originalError instanceof GraphQLError) return error;
  if (isStackOverflow(originalError)) return graphqlError('QUERY_TOO_DEEP', 'brackets are nested too deeply');
  const code = codeOf(originalError);
  if (code === undefined) report(originalError);
  return new GraphQLError(code === undefined ? 'internal error' : error.message, {
    ...(nodes && { nodes }),
    ...(path && { path }),
    extensions: { code: code ?? 'INTERNAL' },
  });
}

/** The parser goes one call deeper for each bracket; tokens bound how deep, not low enough for every stack. */
function isStackOverflow(error: Error): boolean {
  return error instanceof RangeError && error.message === 'Maximum call stack size exceeded';
}

function codeOf(error: Error): string | undefined {
  if (error instanceof TronError) return error.code;
  if (javaError(error) !== undefined) return 'REFUSED';
  // Errors of mercurius and of graphql's argument checks carry their code themselves.
  const { code, extensions } = error as { code?: unknown; extensions?: { code?: unknown } };
  const own = extensions?.code ?? code;
  return typeof own === 'string' ? own : undefined;
}
