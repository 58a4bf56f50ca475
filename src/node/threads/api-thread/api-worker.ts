import { isMainThread, parentPort, workerData } from 'node:worker_threads';
import { Patience } from '../../../api/call-pool.js';
import { RememberedIds } from '../../../api/operations/broadcast.js';
import { RemoteMetrics } from '../../metrics/metrics-port.js';
import { RemotePeers } from '../../peers/node-peers.js';
import { createApiContext } from '../../serving/api-context.js';
import { serveApis } from '../../serving/services.js';
import { VotedHeight } from '../../voted-height.js';
import { Pool } from '../pool/pool.js';
import { openReadingThread } from '../reading-thread.js';
import type { ApiThreadData, FromApiThread, ToApiThread } from './messages.js';
import { RemoteChain } from './remote-chain.js';

if (!isMainThread && parentPort !== null) {
  const port = parentPort;
  const send = (message: FromApiThread): void => port.postMessage(message);
  const { metrics: metricsPort, peers: peersPort, producers, ...data } = workerData as ApiThreadData;
  const { config, rules, ledger, log, now } = await openReadingThread(data, (line) => send({ kind: 'line', line }));
  const { dataDir } = data;
  const chain = new RemoteChain({
    ledger,
    rules,
    submit: (ticket, bytes) => send({ kind: 'submit', ticket, bytes }),
    control: (ticket, call) => send({ kind: 'control', ticket, call }),
    isControlled: config.tronicle.devnet.control,
  });
  const patience = new Patience();
  const { pool: threads } = config.tronicle.threads;
  const pool = new Pool({ threads, patience, data, waiting: () => chain.news(), log });
  const peers = new RemotePeers(peersPort);
  const voted = new VotedHeight(data.voted);
  const api = createApiContext({ source: chain, config, now, peers, patience, votedHeight: () => voted.number });
  const remembered = new RememberedIds();
  const metrics = new RemoteMetrics(metricsPort);
  const services = await serveApis({
    metrics,
    api,
    ledger,
    news: chain.blockNews,
    remembered,
    control: config.tronicle.devnet.control ? (call) => chain.control(call) : undefined,
    pool,
    producers,
    dataDir,
    config,
    log,
    now,
  });
  port.on('message', async (message: ToApiThread) => {
    if (message.kind !== 'close') {
      chain.take(message);
      if (message.kind === 'waiting') pool.tell(message);
      return;
    }
    for (const service of [...services].reverse()) await service.close();
    await pool.close();
    // The bell is the writer's: closing rings it, nothing else.
    await ledger.close();
    metrics.close();
    peers.close();
    port.close();
  });
  send({ kind: 'serving' });
}
