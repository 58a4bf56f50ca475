import { isMainThread, parentPort, workerData } from 'node:worker_threads';
import { pino } from 'pino';
import { BehaviorSubject } from 'rxjs';
import { javaError } from '../../api/java/java-error.js';
import { answerTrace } from '../../api/jsonrpc/debug-methods.js';
import { FilterStore } from '../../api/jsonrpc/filter-store.js';
import { LogSearch } from '../../api/jsonrpc/find-logs.js';
import type { CallArguments } from '../../api/jsonrpc/parameters.js';
import { RpcError } from '../../api/jsonrpc/rpc-error.js';
import { fromPlain, type TraceRequest } from '../../api/jsonrpc/tracing/trace-request.js';
import { openLedger } from '../../projections/open-ledger.js';
import { State } from '../../vm/state/state.js';
import { createApiContext } from '../api-context.js';
import { chainRules } from '../chain-config.js';
import type { NodeConfig } from '../config/load-config.js';
import { readSpendKey } from '../open-chain.js';
import type { TraceOutcome, TraceTask, TraceThreadData } from './messages.js';

if (!isMainThread && parentPort !== null) {
  const port = parentPort;
  const { dataDir, config: sent, peers, level, bell } = workerData as TraceThreadData;
  const log = pino({ level }, { write: (line: string) => process.stderr.write(line) });
  const config = { ...sent, peers: new BehaviorSubject(peers) } as unknown as NodeConfig;
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
  const source = {
    ledger,
    rules,
    // Traces see what is in blocks.
    head: () => new State(ledger.head, rules),
    writtenKeys: () => [],
    pending: () => [],
    takenBack: () => [],
    submit: () => Promise.reject(new Error('the tracing thread takes no transactions')),
  };
  const api = createApiContext({ source, config, now: Date.now });
  const features = config.tronicle.jsonrpc;
  const common = { api, features, filters: new FilterStore(Date.now), producers: [], logs: new LogSearch() };
  const answer = ({ ticket, view, request }: TraceTask): TraceOutcome => {
    try {
      return { ticket, text: answerTrace({ ...common, view }, requestOf(request)).text };
    } catch (error) {
      if (error instanceof RpcError) return { ticket, refusal: { code: error.number, text: error.text } };
      const { javaClass, text } = javaError(error) ?? {
        javaClass: 'java.lang.RuntimeException',
        text: 'internal error',
      };
      return { ticket, exception: { javaClass, text } };
    }
  };
  port.on('message', (task: TraceTask) => port.postMessage(answer(task)));
}

function requestOf(request: TraceTask['request']): TraceRequest {
  const config = fromPlain(request.config);
  if ('id' in request) return { id: request.id, config };
  return { args: request.args as CallArguments | null, block: fromPlain(request.block), config };
}
