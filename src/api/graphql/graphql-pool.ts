import type { NodeProgress } from './node-progress.js';

/** A GraphQL request as the HTTP server received it. */
export interface GraphqlRequest {
  readonly query: string;
  readonly variables?: Readonly<Record<string, unknown>> | undefined;
  readonly operationName?: string | undefined;
}

/**
 * Progress and peers of this node at the time of a request. Worker threads cannot read these values from disk, so they
 * receive them with the request.
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

/** Worker threads that run expensive queries. The answer does not depend on the thread. */
export interface GraphqlPool {
  /** Runs a query. Never rejects, because a failure is also an answer. */
  graphql(request: GraphqlRequest, progress: SentProgress): Promise<GraphqlAnswer>;
}
