import { GraphQLError } from 'graphql';
import { TronError } from '../../primitives/errors.js';
import { javaError } from '../../state-transition/java-errors.js';

/** Error codes that only GraphQL has. Codes of the node, such as HISTORY_NOT_KEPT, are passed on unchanged. */
type GraphqlErrorCode =
  | 'BAD_CURSOR'
  | 'BAD_VALUE'
  | 'PAGE_TOO_LARGE'
  | 'QUERY_TOO_DEEP'
  | 'QUERY_TOO_COSTLY'
  | 'QUERY_TOO_LONG'
  | 'NOT_A_QUERY'
  | 'NOT_A_SUBSCRIPTION'
  | 'SUBSCRIBER_TOO_SLOW'
  | 'SOLIDIFIED_BLOCK_UNDONE'
  | 'TOO_MANY_SUBSCRIPTIONS';

/** Creates an error with a code and optional additional fields in `extensions`. */
export function graphqlError(
  code: GraphqlErrorCode,
  message: string,
  more: Readonly<Record<string, unknown>> = {},
): GraphQLError {
  return new GraphQLError(message, { extensions: { code, ...more } });
}

/**
 * Returns the error that the client receives. An error with a code in `extensions` or with a code of the node retains
 * its message. Any other error becomes an internal error without details.
 * @param report receives unexpected errors
 */
export function shownError(error: GraphQLError, report: (error: unknown) => void): GraphQLError {
  const { originalError, nodes, path } = error;
  if (error.extensions['code'] !== undefined) return error;
  // The library `graphql` itself reported the error. The query or the value of a variable is invalid.
  if (originalError === undefined || originalError === null || originalError instanceof GraphQLError) return error;
  if (isStackOverflow(originalError)) return graphqlError('QUERY_TOO_DEEP', 'query nests too many brackets');
  const code = codeOf(originalError);
  if (code === undefined) report(originalError);
  return new GraphQLError(code === undefined ? 'internal error' : error.message, {
    ...(nodes && { nodes }),
    ...(path && { path }),
    extensions: { code: code ?? 'INTERNAL' },
  });
}

/**
 * Returns true for a stack overflow. The parser of the library is recursive, so nested brackets can overflow the stack
 * even below the token limit.
 */
function isStackOverflow(error: Error): boolean {
  return error instanceof RangeError && error.message === 'Maximum call stack size exceeded';
}

function codeOf(error: Error): string | undefined {
  if (error instanceof TronError) return error.code;
  if (javaError(error) !== undefined) return 'REFUSED';
  // Errors of mercurius and of graphql's argument checks have a code in `extensions` or in the error itself.
  const { code, extensions } = error as { code?: unknown; extensions?: { code?: unknown } };
  const own = extensions?.code ?? code;
  return typeof own === 'string' ? own : undefined;
}
