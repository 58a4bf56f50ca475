import type { ViewName } from '../../../api/api-context.js';
import type { GrpcReply } from '../../../api/grpc/answer-call.js';
import type { GrpcServerName } from '../../../api/grpc/services.js';
import type { IncomingRequest } from '../../../api/http/dispatch.js';
import type { HttpAnswer } from '../../../api/http/error-pages.js';
import type { ServerName } from '../../../api/http/route.js';
import type { LogQuery } from '../../../api/jsonrpc/logs/log-filter.js';
import type { ApiThreadData, WaitingNews } from '../api-thread/messages.js';

/** What a thread of the pool is started with. */
export type PoolThreadData = Pick<ApiThreadData, 'dataDir' | 'config' | 'level' | 'bell' | 'voted' | 'clock'>;

/** One question, as the thread of the APIs took it. */
export type PoolTask =
  | { readonly kind: 'http'; readonly server: ServerName; readonly request: IncomingRequest }
  | { readonly kind: 'grpc'; readonly server: GrpcServerName; readonly name: string; readonly request: Uint8Array }
  | { readonly kind: 'rpc'; readonly view: ViewName; readonly method: string; readonly values: readonly unknown[] }
  | { readonly kind: 'logs'; readonly view: ViewName; readonly query: LogQuery };

/** An answer, or what refuses it: errors lose their classes between threads. */
export type PoolOutcome =
  | { readonly http: HttpAnswer }
  | { readonly grpc: GrpcReply }
  | { readonly text: string }
  | { readonly refusal: { readonly code: number; readonly text: string | null; readonly data: string } }
  | { readonly exception: { readonly javaClass: string; readonly text: string | null } };

export type ToPoolThread = WaitingNews | { readonly kind: 'task'; readonly task: PoolTask };

/** Each task has one outcome, in order. */
export type FromPoolThread =
  | { readonly kind: 'outcome'; readonly outcome: PoolOutcome; readonly tookMs: number }
  | { readonly kind: 'line'; readonly line: string };
