import type { ViewName } from '../../api/api-context.js';
import type { PlainJson } from '../../api/jsonrpc/tracing/trace-request.js';
import type { ApiThreadData } from '../api-thread/messages.js';

/** What the tracing thread is started with. */
export type TraceThreadData = Pick<ApiThreadData, 'dataDir' | 'config' | 'peers' | 'level' | 'bell'>;

export interface TraceTask {
  readonly ticket: number;
  readonly view: ViewName;
  /** A `TraceRequest`, its JSON values as they may cross threads. */
  readonly request:
    | { readonly id: string | null; readonly config: PlainJson }
    | {
        readonly args: Readonly<Record<string, string | null>> | null;
        readonly block: PlainJson;
        readonly config: PlainJson;
      };
}

/** The answer as JSON, or what refuses it. */
export type TraceOutcome = { readonly ticket: number } & (
  | { readonly text: string }
  | { readonly refusal: { readonly code: number; readonly text: string | null } }
  | { readonly exception: { readonly javaClass: string; readonly text: string | null } }
);
