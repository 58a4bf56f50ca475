import type { GraphqlAnswer, GraphqlRequest, SentProgress } from '../../../api/graphql/graphql-pool.js';
import type { GrpcReply } from '../../../api/grpc/grpc-reply.js';
import type { HttpAnswer } from '../../../api/http/http-answer.js';
import type { IncomingRequest } from '../../../api/http/incoming-request.js';
import type { IndexPage, IndexRequest } from '../../../api/indexes/index-pages.js';
import type { LogQuery } from '../../../api/jsonrpc/logs/log-filter.js';
import type { PortView, ServerName } from '../../../api/servers.js';
import type { SentError } from '../../workers/sent-error.js';
import type { ApiThreadData } from '../api-threads/messages.js';

/** Start data of a thread of the call pool. */
export type PoolThreadData = Pick<ApiThreadData, 'dataDir' | 'config' | 'level' | 'notifier' | 'voted' | 'clock'>;

/** API request that runs in the call pool. */
export type PoolTask =
  | { readonly kind: 'http'; readonly server: ServerName; readonly request: IncomingRequest }
  | { readonly kind: 'grpc'; readonly server: ServerName; readonly name: string; readonly request: Uint8Array }
  | { readonly kind: 'rpc'; readonly view: PortView; readonly method: string; readonly values: readonly unknown[] }
  | {
      readonly kind: 'index';
      readonly name: string;
      readonly address: Uint8Array;
      readonly request: IndexRequest;
    }
  | { readonly kind: 'logs'; readonly view: PortView; readonly query: LogQuery }
  | { readonly kind: 'graphql'; readonly request: GraphqlRequest; readonly progress: SentProgress };

/** Answer or error of a task. */
export type PoolOutcome =
  | { readonly http: HttpAnswer }
  | { readonly grpc: GrpcReply }
  | { readonly text: string }
  | { readonly index: IndexPage }
  | { readonly graphql: GraphqlAnswer }
  | { readonly refusal: SentError };

/** Outcome of a task and its execution time in ms, without the time in the queue. */
export interface PoolAnswer {
  readonly outcome: PoolOutcome;
  readonly tookMs: number;
}
