import type { FastifyInstance } from 'fastify';
import type { ApiContext, PeerLink } from '../context/api-context.js';
import type { GraphqlAnswer, GraphqlRequest, SentProgress } from './graphql-pool.js';
import { createGraphqlServer, type GraphqlServerOptions } from './graphql-server.js';

interface GraphqlQueriesOptions extends Omit<GraphqlServerOptions, 'api' | 'progress' | 'pool' | 'sources'> {
  /**
   * Creates the API context of the worker thread. `peers` has only the number of connected peers, because only the
   * main thread has the connections.
   */
  readonly createApi: (peers: PeerLink) => ApiContext;
}

/** Runs GraphQL queries in a worker thread, which has no port. The answers equal those of the server. */
export class GraphqlQueries {
  private readonly app: FastifyInstance;
  private readonly known: { progress: SentProgress };

  private constructor(app: FastifyInstance, known: { progress: SentProgress }) {
    this.app = app;
    this.known = known;
  }

  static async create({ createApi, ...options }: GraphqlQueriesOptions): Promise<GraphqlQueries> {
    const known: { progress: SentProgress } = { progress: NO_PROGRESS };
    const peers: PeerLink = {
      get active() {
        return known.progress.peers;
      },
      inSync: 0,
      broadcast: () => 0,
    };
    const app = await createGraphqlServer({
      ...options,
      api: createApi(peers),
      progress: {
        projections: () => known.progress.projections,
        sinks: () => known.progress.sinks,
        replica: () => known.progress.replica,
        storageProblem: () => known.progress.storageProblem,
      },
    });
    return new GraphqlQueries(app, known);
  }

  /** Runs a query. @param progress progress and peers of the node, for the field `status` */
  async answer(request: GraphqlRequest, progress: SentProgress): Promise<GraphqlAnswer> {
    this.known.progress = progress;
    const { statusCode, payload } = await this.app.inject({ method: 'POST', url: '/graphql', payload: { ...request } });
    return { status: statusCode, text: payload };
  }

  close(): Promise<void> {
    return this.app.close();
  }
}

const NO_PROGRESS: SentProgress = {
  projections: [],
  sinks: [],
  replica: undefined,
  storageProblem: undefined,
  peers: 0,
};
