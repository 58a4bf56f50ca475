import { CallBudget } from '../../../api/context/call-budget.js';
import { AsyncFilters, callFilters } from '../../../api/jsonrpc/logs/filters.js';
import type { MetricSnapshot } from '../../../api/metrics/metric-set.js';
import { SharedLimits } from '../../../api/middleware/shared/shared-limits.js';
import type { KnownIds } from '../../../api/operations/broadcast.js';
import { byServer } from '../../../api/servers.js';
import { RemoteMetrics, SILENCE_MS } from '../../metrics/metrics-port.js';
import { RemotePeers } from '../../peers/node-peers.js';
import { createApiContext } from '../../serving/api-context.js';
import { createMiddleware } from '../../serving/create-gate.js';
import { SharedPorts } from '../../serving/ports/shared-ports.js';
import { serveApis } from '../../serving/serve-apis.js';
import { createFilters } from '../../serving/serve-filters.js';
import type { ServedFilters } from '../../serving/served-node.js';
import type { ThreadRole } from '../../serving/thread-role.js';
import { VotedHeight } from '../../voted-height.js';
import { answerWithin } from '../../workers/answer-within.js';
import { WorkerContext } from '../../workers/worker-context.js';
import { Pool } from '../pool/pool.js';
import { openReadingThread } from '../reading-thread.js';
import type {
  ApiThreadData,
  ApiThreadNotice,
  ApiThreadRequest,
  ChainRequest,
  NumberedUpdate,
  SharedThreadData,
} from './messages.js';
import { RemoteChain } from './remote-chain.js';
import { poolThreadCount } from './thread-count.js';

/** Interval in ms at which this thread sends its traffic to the main thread. */
const TRAFFIC_MS = 1000;

const side = WorkerContext.here<ApiThreadData>();
if (side !== undefined) {
  const { metrics: metricsPort, peers: peersPort, producers, shared, updates, ...data } = side.data;
  const { config, rules, ledger, log, now } = await openReadingThread(data, side.line);
  const { dataDir } = data;
  const sent = new Int32Array(updates);
  /** Number of the newest update that this thread has applied. */
  let applied = 0;
  const link = side.link<ApiThreadNotice, ChainRequest, NumberedUpdate, ApiThreadRequest>({
    onNotification: ({ number, update }) => {
      applied = number;
      // Updates the call pool first, because subscribers to changes of the chain may send calls to this pool.
      pool.update(update);
      chain.apply(update);
    },
    answer: (request): unknown => {
      if (request.kind === 'metrics') return gate.metrics.set.snapshot();
      return callFilters(filters.of[request.server], request.call);
    },
  });
  const chain = new RemoteChain({
    ledger,
    rules,
    submit: (bytes) => link.request({ kind: 'submit', bytes }),
    control: (call) => link.request({ kind: 'control', call }),
    receiveUpdates: () => {
      const newest = Atomics.load(sent, 0);
      side.receiveArrived(() => applied >= newest);
    },
  });
  const callBudget = new CallBudget();
  const threads = poolThreadCount({ configured: config.tronicle.threads.pool }, shared?.limits.threads ?? 1);
  const pool = new Pool({ threads, callBudget, data, pendingUpdate: () => chain.pendingUpdate(), log });
  const peers = new RemotePeers(peersPort);
  const voted = new VotedHeight(data.voted);
  const api = createApiContext({ source: chain, config, now, peers, callBudget, votedHeight: () => voted.number });
  const remembered: KnownIds = { add: (id) => link.request<boolean>({ kind: 'remember', id }) };
  const metrics = new RemoteMetrics(metricsPort);
  const role = shared && roleOf(shared);
  const gate = createMiddleware({ api, config, log, metrics, role });
  const filters = role?.isFirst === false ? remoteFilters() : createFilters({ api, ledger, config, now, log });
  // Receives the pending transactions before this thread listens, because a client may already have seen their effects
  // in another thread.
  side.receive(link);
  await link.request({ kind: 'pending' });
  const services = await serveApis({
    metrics,
    api,
    ledger,
    retainChanges: (reader, seq) => link.send({ kind: 'position', reader, seq }),
    remembered,
    control: config.tronicle.devnet.control ? (call) => chain.control(call) : undefined,
    pool,
    producers,
    dataDir,
    config,
    log,
    now,
    role,
    gate,
    filters,
  });
  const sendTraffic = (): void => link.send({ kind: 'traffic', traffic: gate.metrics.traffic() });
  const trafficTimer = role && config.node.metricsEnable ? setInterval(sendTraffic, TRAFFIC_MS) : undefined;
  side.ready(async () => {
    clearInterval(trafficTimer);
    for (const service of [...services].reverse()) await service.close();
    await pool.close();
    // Closes the ledger of this thread, and wakes the readers that wait for new entries of this ledger. Ledgers of
    // other threads remain open.
    await ledger.close();
    metrics.close();
    peers.close();
  });

  function remoteFilters(): ServedFilters {
    const of = byServer((server) => new AsyncFilters((call) => link.request({ kind: 'filters', server, call })));
    return { of, close: () => undefined };
  }

  function roleOf({ thread, limits, refusedPorts }: SharedThreadData): ThreadRole {
    const isFirst = thread === 0;
    const isFollowed = config.tronicle.follow.listen.length > 0;
    let known: readonly MetricSnapshot[] = [];
    return {
      isFirst,
      name: isFirst ? 'api' : `api-${thread + 1}`,
      limits: new SharedLimits(limits, thread),
      ports: new SharedPorts(refusedPorts),
      followed: isFollowed && !isFirst ? link.request({ kind: 'followed' }) : undefined,
      otherMetrics: async (own) => {
        const answer = link.request<readonly MetricSnapshot[]>({ kind: 'metrics', own });
        known = await answerWithin(SILENCE_MS, answer, known);
        return known;
      },
      otherTraffic: () => metrics.otherTraffic(),
      announce: (followed) => void followed.then((addresses) => link.send({ kind: 'followed', addresses })),
    };
  }
}
