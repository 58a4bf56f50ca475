import type { GrpcReply } from '../../../api/grpc/grpc-reply.js';
import type { HttpAnswer } from '../../../api/http/error-pages.js';
import type { IncomingRequest } from '../../../api/http/incoming-request.js';
import type { LogQuery } from '../../../api/jsonrpc/logs/log-filter.js';
import type { PortView, ServerName } from '../../../api/servers.js';
import type { SentError } from '../../workers/sent-error.js';
import type { ApiThreadData } from '../api-thread/messages.js';

/** What a thread of the pool is started with. */
export type PoolThreadData = Pick<ApiThreadData, 'dataDir' | 'config' | 'level' | 'bell' | 'voted' | 'clock'>;

/** One question, as the thread of the APIs took it. */
export type PoolTask =
  | { readonly kind: 'http'; readonly server: ServerName; readonly request: IncomingRequest }
  | { readonly kind: 'grpc'; readonly server: ServerName; readonly name: string; readonly request: Uint8Array }
  | { readonly kind: 'rpc'; readonly view: PortView; readonly method: string; readonly values: readonly unknown[] }
  | { readonly kind: 'logs'; readonly view: PortView; readonly query: LogQuery };

/** An answer, or what refuses it. */
export type PoolOutcome =
  | { readonly http: HttpAnswer }
  | { readonly grpc: GrpcReply }
  | { readonly text: string }
  | { readonly refusal: SentError };

/** An outcome with the ms that it took, without waiting. */
export interface PoolAnswer {
  readonly outcome: PoolOutcome;
  readonly tookMs: number;
}
