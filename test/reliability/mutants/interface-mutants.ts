import type { Fault } from '../../support/faulty-copy.js';

/** Faults of the interfaces. */
export const interfaceMutants: Readonly<Record<string, readonly Fault[]>> = {
  'malformed-http': [
    {
      fault: 'an error in a handler is not answered',
      file: 'src/api/http/dispatch.ts',
      find: '  if (text === undefined) throw error;\n  if (isStackOverflow',
      replace: "  if (text !== '') throw error;\n  if (isStackOverflow",
    },
  ],
  'malformed-grpc': [
    {
      fault: 'a negative length in a message throws an unexpected error',
      file: 'src/codec/reader.ts',
      find: 'if (length < 0) throw new ProtobufError(NEGATIVE_SIZE);',
      replace: 'if (length < 0) throw new RangeError(NEGATIVE_SIZE);',
    },
  ],
  'malformed-jsonrpc': [
    {
      fault: 'every call is answered with "method not found"',
      file: 'src/api/jsonrpc/envelope.ts',
      find: "const method = typeof name === 'string' ? methods.get(name) : undefined;",
      replace: "const method = typeof name === 'string' ? methods.get(name.toUpperCase()) : undefined;",
    },
  ],
  'hostile-queries': [
    {
      fault: 'a query may cost a hundred times the limit',
      file: 'src/api/graphql/query-limits.ts',
      find: 'const COST_MAX = 10_000;',
      replace: 'const COST_MAX = 1_000_000;',
    },
    {
      fault: 'a query may have five times as many levels',
      file: 'src/api/graphql/query-limits.ts',
      find: 'const QUERY_DEPTH_MAX = 10;',
      replace: 'const QUERY_DEPTH_MAX = 50;',
    },
  ],
  'slow-requests': [
    {
      fault: 'a request has no time limit',
      file: 'src/api/http/server/create-server.ts',
      find: '    requestTimeout: requestTimeoutMs,\n    headersTimeout: Math.min(idleTimeoutMs, requestTimeoutMs),',
      replace: '    requestTimeout: 0,\n    headersTimeout: 0,',
    },
  ],
  'http2-floods': [
    {
      fault: 'resets are not limited',
      file: 'src/api/grpc/grpc-server.ts',
      find: '    limitResets(session, limits.resets ?? RESETS);',
      replace: '    void [limitResets, RESETS];',
    },
    {
      fault: 'resets without an error code do not count',
      file: 'src/api/grpc/reset-limit.ts',
      find: ' || stream.aborted;',
      replace: ';',
    },
    {
      fault: 'all new connections start in one turn of the event loop',
      file: 'src/api/grpc/connection-queue.ts',
      find: 'const STARTED_MAX = 4;',
      replace: 'const STARTED_MAX = 400;',
    },
  ],
  'endless-calls': [
    {
      fault: 'a long call is not moved to another thread',
      file: 'src/api/operations/call-contract.ts',
      find: '  if (callBudget === undefined) return run((limits) => limits);',
      replace: '  if (callBudget !== null) return run((limits) => limits);',
    },
  ],
  'transaction-flood': [
    {
      fault: 'the number of pending transactions is not limited',
      file: 'src/api/operations/broadcast.ts',
      find: 'if (pending.offered > settings.pendingMax) return',
      replace: 'if (pending.offered < 0) return',
    },
  ],
  'hostile-programs': [
    {
      fault: 'one interpreter subtracts wrongly',
      file: 'src/vm/opcodes/table.ts',
      find: 'price.VERY_LOW, arithmetic.subtract]',
      replace: 'price.VERY_LOW, arithmetic.add]',
    },
  ],
};
