import { isMainThread, parentPort, workerData } from 'node:worker_threads';
import { pino } from 'pino';
import { BehaviorSubject } from 'rxjs';
import { RememberedIds } from '../../api/operations/broadcast.js';
import { openLedger } from '../../projections/open-ledger.js';
import { createApiContext } from '../api-context.js';
import { chainRules } from '../chain-config.js';
import type { NodeConfig } from '../config/load-config.js';
import { RemoteMetrics } from '../metrics-port.js';
import { readSpendKey } from '../open-chain.js';
import { serveApis } from '../services.js';
import type { ApiThreadData, FromApiThread, ToApiThread } from './messages.js';
import { RemoteChain } from './remote-chain.js';

if (!isMainThread && parentPort !== null) {
  const port = parentPort;
  const send = (message: FromApiThread): void => port.postMessage(message);
  const {
    dataDir,
    config: sent,
    peers,
    producers,
    level,
    metrics: metricsPort,
    bell,
    clock,
  } = workerData as ApiThreadData;
  // One thread writes the log: the lines go there.
  const log = pino({ level }, { write: (line: string) => send({ kind: 'line', line }) });
  const config = { ...sent, peers: new BehaviorSubject(peers) } as NodeConfig;
  const rules = chainRules(config);
  readSpendKey(config.tronicle.sapling.spendKey);
  const ledger = await openLedger({
    dataDir,
    retention: config.tronicle.history.retention,
    checkpointVersion: config.storage.checkpoint.version === 2 ? 2 : 1,
    log,
    readOnly: true,
    follows: true,
    bell,
  });
  const chain = new RemoteChain({
    ledger,
    rules,
    submit: (ticket, bytes) => send({ kind: 'submit', ticket, bytes }),
  });
  const now = (): number => Math.floor(clock.now + (Date.now() - clock.at) * clock.speed);
  const api = createApiContext({ source: chain, config, now });
  const remembered = new RememberedIds();
  const metrics = new RemoteMetrics(metricsPort, config.node.metricsEnable);
  const services = await serveApis({
    metrics,
    api,
    ledger,
    news: chain,
    remembered,
    producers,
    dataDir,
    config,
    log,
    now,
  });
  port.on('message', async (message: ToApiThread) => {
    if (message.kind !== 'close') return chain.take(message);
    for (const service of [...services].reverse()) await service.close();
    // The bell is the writer's: closing rings it, nothing else.
    await ledger.close();
    metrics.close();
    port.close();
  });
  send({ kind: 'serving' });
}
