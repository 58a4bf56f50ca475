import type { NodeProgress } from './node-progress.js';

/** A GraphQL request as received over HTTP. */
export interface GraphqlRequest {
  readonly query: string;
  readonly variables?: Readonly<Record<string, unknown>> | undefined;
  readonly operationName?: string | undefined;
}

/**
 * Progress and peers of this node at the time of a request. It is sent to worker threads, because they cannot read it
 * from disk.
 */
export interface SentProgress {
  readonly projections: ReturnType<NodeProgress['projections']>;
  readonly sinks: ReturnType<NodeProgress['sinks']>;
  readonly replica: ReturnType<NodeProgress['replica']>;
  readonly storageProblem: ReturnType<NodeProgress['storageProblem']>;
  readonly peers: number;
}

/** HTTP status and JSON text of an answer. */
export interface GraphqlAnswer {
  readonly status: number;
  readonly text: string;
}

/** Worker threads that answer expensive queries. An answer does not depend on the thread. */
export interface GraphqlPool {
  /** Answers a query. Never rejects, because a failure is also an answer. */
  graphql(request: GraphqlRequest, progress: SentProgress): Promise<GraphqlAnswer>;
}
