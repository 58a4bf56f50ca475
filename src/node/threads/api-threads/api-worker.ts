import { availableParallelism } from 'node:os';
import { CallBudget } from '../../../api/context/call-budget.js';
import { RememberedIds } from '../../../api/operations/broadcast.js';
import { RemoteMetrics } from '../../metrics/metrics-port.js';
import { RemotePeers } from '../../peers/node-peers.js';
import { createApiContext } from '../../serving/api-context.js';
import { serveApis } from '../../serving/serve-apis.js';
import { VotedHeight } from '../../voted-height.js';
import { WorkerContext } from '../../workers/worker-context.js';
import { Pool } from '../pool/pool.js';
import { openReadingThread } from '../reading-thread.js';
import type { ApiThreadData, ChainRequest, ChainUpdate, ReaderPosition } from './messages.js';
import { RemoteChain } from './remote-chain.js';

/** Processors that the main thread and the API thread use. */
const OTHER_THREADS = 2;

const side = WorkerContext.here<ApiThreadData>();
if (side !== undefined) {
  const { metrics: metricsPort, peers: peersPort, producers, ...data } = side.data;
  const { config, rules, ledger, log, now } = await openReadingThread(data, side.line);
  const { dataDir } = data;
  const link = side.link<ReaderPosition, ChainRequest, ChainUpdate, never>({
    onNotification: (update) => {
      chain.apply(update);
      if (update.kind === 'waiting') pool.update(update);
    },
  });
  const chain = new RemoteChain({
    ledger,
    rules,
    submit: (bytes) => link.request({ kind: 'submit', bytes }),
    control: (call) => link.request({ kind: 'control', call }),
    isControlled: config.tronicle.devnet.control,
  });
  const callBudget = new CallBudget();
  const threads = config.tronicle.threads.pool || Math.max(1, availableParallelism() - OTHER_THREADS);
  const pool = new Pool({ threads, callBudget, data, waiting: () => chain.pendingUpdate(), log });
  const peers = new RemotePeers(peersPort);
  const voted = new VotedHeight(data.voted);
  const api = createApiContext({ source: chain, config, now, peers, callBudget, votedHeight: () => voted.number });
  const remembered = new RememberedIds();
  const metrics = new RemoteMetrics(metricsPort);
  const services = await serveApis({
    metrics,
    api,
    ledger,
    retainChanges: (reader, seq) => link.send({ reader, seq }),
    blockUpdates: chain.blockUpdates,
    remembered,
    control: config.tronicle.devnet.control ? (call) => chain.control(call) : undefined,
    pool,
    producers,
    dataDir,
    config,
    log,
    now,
  });
  side.serve(link, async () => {
    for (const service of [...services].reverse()) await service.close();
    await pool.close();
    // The writer owns the notifier; closing the ledger only wakes its waiters.
    await ledger.close();
    metrics.close();
    peers.close();
  });
}
