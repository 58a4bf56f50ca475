import { NEVER } from 'rxjs';
import type { ApiContext } from '../../../api/context/api-context.js';
import { BlockReader } from '../../../api/context/read-block.js';
import { GraphqlQueries } from '../../../api/graphql/graphql-queries.js';
import { answerCall } from '../../../api/grpc/answer-call.js';
import { grpcServices } from '../../../api/grpc/services.js';
import { Dispatcher } from '../../../api/http/dispatch.js';
import { type IndexPage, readIndexPage } from '../../../api/indexes/index-pages.js';
import { RawJson, type RpcMethods } from '../../../api/jsonrpc/envelope.js';
import { FilterStore } from '../../../api/jsonrpc/logs/filter-store.js';
import { LogSearch } from '../../../api/jsonrpc/logs/find-logs.js';
import { LogIndex } from '../../../api/jsonrpc/logs/log-index.js';
import { servedFeatures } from '../../../api/jsonrpc/methods/features.js';
import { rpcMethods } from '../../../api/jsonrpc/methods/methods.js';
import { fromPlain, type PlainJson } from '../../../api/jsonrpc/plain-json.js';
import { RpcError } from '../../../api/jsonrpc/rpc-error.js';
import { RememberedIds } from '../../../api/operations/broadcast.js';
import type { PortView } from '../../../api/servers.js';
import { byServer, serverViews } from '../../../api/servers.js';
import { openOperatorAbis } from '../../../encoding/abi/operator-abis.js';
import { JavaError } from '../../../java-compat/java-error.js';
import { present } from '../../../primitives/assert.js';
import { wellFormed } from '../../../primitives/bytes.js';
import { TronError } from '../../../primitives/errors.js';
import { AccountHistory } from '../../../projections/indexes/account-history.js';
import { enabledIndexes, findIndex } from '../../../projections/indexes/indexes.js';
import { ProjectionDatabase } from '../../../projections/runner/projection-database.js';
import { javaError } from '../../../state-transition/java-errors.js';
import { State } from '../../../state-transition/state/state.js';
import { createApiContext } from '../../serving/api-context.js';
import { VotedHeight } from '../../voted-height.js';
import { lowerPriority } from '../../workers/low-priority.js';
import { type SentError, sendError } from '../../workers/sent-error.js';
import { MovedAnswer } from '../../workers/thread-channel.js';
import { WorkerContext } from '../../workers/worker-context.js';
import type { PendingUpdate } from '../api-threads/messages.js';
import { RemoteChain } from '../api-threads/remote-chain.js';
import { openReadingThread } from '../reading-thread.js';
import type { PoolAnswer, PoolOutcome, PoolTask, PoolThreadData } from './messages.js';

/**
 * Minimum length in characters of a body that this thread encodes and transfers. Copying takes less time for a shorter
 * body.
 */
const MOVED_LENGTH_MIN = 65_536;

const side = WorkerContext.here<PoolThreadData>();
if (side !== undefined) {
  // Other threads run first: long answers must delay neither the short answers of the API thread nor the execution of
  // blocks.
  lowerPriority();
  const { data } = side;
  const { config, rules, ledger, log, now } = await openReadingThread(data, side.line);
  const refuse = (): Promise<never> =>
    Promise.reject(new Error('internal error: a pool thread received a transaction to submit'));
  const chain = new RemoteChain({ ledger, rules, submit: refuse });
  const voted = new VotedHeight(data.voted);
  const votedHeight = (): number => voted.number;
  const api = createApiContext({ source: chain, config, now, votedHeight });
  // API context without pending transactions, because only transactions in blocks have traces.
  const blocksOnly = createApiContext({
    source: {
      ledger,
      rules,
      head: () => new State(ledger.head, rules),
      writtenKeys: () => [],
      pending: () => [],
      repushed: () => [],
      pendingChanges: NEVER,
      submit: refuse,
    },
    config,
    now,
    votedHeight,
  });
  const database = openProjections();
  const logs = new LogSearch(api.settings.release, database && new LogIndex(ledger, database));
  const features = servedFeatures(config.tronicle.jsonrpc);
  const methodsOf = (of: ApiContext, view: PortView): RpcMethods =>
    rpcMethods({ api: of, view, features, filters: new FilterStore(now, of.settings), producers: [], logs });
  const calls = byView((view) => methodsOf(api, view));
  const traces = byView((view) => methodsOf(blocksOnly, view));
  const histories = new AccountHistory(database, ledger, enabledIndexes(config.tronicle.projections));
  const blocks = new BlockReader(ledger);
  const remembered = new RememberedIds();
  const services = { api, remembered, startedMs: now() };
  const dispatchers = byServer((server) => new Dispatcher(server, services, []));
  const grpc = byServer((server) => grpcServices(server, api.settings));

  const answer = async (task: PoolTask): Promise<PoolOutcome> => {
    if (task.kind === 'http') return { http: await dispatchers[task.server].answer(task.request) };
    if (task.kind === 'graphql') return { graphql: await (await graphql()).answer(task.request, task.progress) };
    if (task.kind === 'grpc') {
      const call = () => ({ api, view: api.view(serverViews[task.server]), remembered });
      return { grpc: await answerCall(grpc[task.server], task.name, task.request, call) };
    }
    try {
      if (task.kind === 'index') return { index: indexPageOf(task) };
      if (task.kind === 'logs') return { text: logs.list(api.view(task.view), task.query).text };
      const methods = /^(debug|trace)_/.test(task.method) ? traces : calls;
      const values = task.values.map((value) => (isPlain(value) ? fromPlain(value) : value));
      const result = await present(
        methods[task.view].get(task.method),
        'the API thread sends only methods that exist',
      ).run(...values);
      return { text: result instanceof RawJson ? result.text : JSON.stringify(result ?? null) };
    } catch (error) {
      return { refusal: refusalOf(error) };
    }
  };

  function indexPageOf({ name, address, request }: PoolTask & { readonly kind: 'index' }): IndexPage {
    const index = present(findIndex(name), 'the API thread sends only names of indexes');
    return readIndexPage({ api, histories, blocks }, index, address, request);
  }

  let queries: Promise<GraphqlQueries> | undefined;
  /** Creates the GraphQL service on first use, because building the schema takes some 100 ms. */
  function graphql(): Promise<GraphqlQueries> {
    queries ??= GraphqlQueries.create({
      ledger,
      rules,
      createApi: (peers) => createApiContext({ source: chain, config, now, votedHeight, peers }),
      abis: openOperatorAbis({ dataDir: data.dataDir, log }),
      histories,
      blocks,
      log,
    });
    return queries;
  }

  function openProjections(): ProjectionDatabase | undefined {
    try {
      return new ProjectionDatabase(data.dataDir, { readOnly: true });
    } catch (error) {
      log.debug({ err: error }, 'pool thread cannot open the index database');
      return undefined;
    }
  }

  function refusalOf(error: unknown): SentError {
    if (error instanceof RpcError || error instanceof TronError) return sendError(error);
    const found = javaError(error);
    if (found === undefined) log.error({ err: error }, 'request in the call pool failed');
    return sendError(found ?? new JavaError('java.lang.RuntimeException', 'internal error'));
  }

  const link = side.link<never, never, PendingUpdate, PoolTask>({
    onNotification: (update) => chain.apply(update),
    answer: async (task): Promise<PoolAnswer | MovedAnswer> => {
      const started = performance.now();
      const outcome = await answer(task);
      return moved({ outcome, tookMs: performance.now() - started });
    },
  });
  // The server of the GraphQL service would keep the thread alive.
  side.serve(link, async () => (await queries)?.close());
}

/**
 * Encodes the body of a large HTTP answer and transfers its memory, so that the API thread neither copies nor encodes
 * it.
 */
function moved(answer: PoolAnswer): PoolAnswer | MovedAnswer {
  if (!('http' in answer.outcome)) return answer;
  const { http } = answer.outcome;
  if (typeof http.body !== 'string' || http.body.length < MOVED_LENGTH_MIN) return answer;
  const body = new TextEncoder().encode(wellFormed(http.body));
  return new MovedAnswer({ ...answer, outcome: { http: { ...http, body } } }, [body.buffer]);
}

/**
 * Returns true for a JSON value that was an instance of a class before it was sent to this thread. Such a value has the
 * property `list`, `members` or `number`. Other call arguments have none of them.
 */
function isPlain(value: unknown): value is PlainJson {
  return typeof value === 'object' && value !== null && ('list' in value || 'members' in value || 'number' in value);
}

function byView<T>(make: (view: PortView) => T): Record<PortView, T> {
  return { head: make('head'), solidified: make('solidified'), pbft: make('pbft') };
}
