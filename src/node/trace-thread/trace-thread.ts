import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import type { Logger } from 'pino';
import type { ViewName } from '../../api/api-context.js';
import { JavaError } from '../../api/java/java-error.js';
import { RawJson } from '../../api/jsonrpc/envelope.js';
import { internalError, RpcError } from '../../api/jsonrpc/rpc-error.js';
import { TRACE_MS_MAX } from '../../api/jsonrpc/tracing/trace-limits.js';
import { type TraceRequest, type Traces, toPlain } from '../../api/jsonrpc/tracing/trace-request.js';
import type { Ledger } from '../../projections/ledger.js';
import type { NodeConfig } from '../config/load-config.js';
import type { TraceOutcome, TraceTask, TraceThreadData } from './messages.js';

export interface TraceThreadOptions {
  readonly ledger: Ledger;
  readonly dataDir: string;
  readonly config: NodeConfig;
  readonly log: Logger;
}

/** Traces that wait for the one under way. */
const WAITING_MAX = 16;
/** A trace looks at the clock itself; this ends one that cannot: within one operation, or in what comes before its transaction. */
const STUCK_MS = 4 * TRACE_MS_MAX;
/** There is none beside sources that were not compiled: tests trace in the thread that serves. */
const FILE = new URL('./trace-worker.js', import.meta.url);

interface Ticket {
  resolve(result: RawJson): void;
  reject(error: Error): void;
}

/** The thread that executes past transactions again, one at a time: others are answered meanwhile. Started by the first question. */
export class TraceThread implements Traces {
  private readonly options: TraceThreadOptions;
  private readonly tickets = new Map<number, Ticket>();
  private worker: Worker | undefined;
  private timer: NodeJS.Timeout | undefined;
  private next = 0;

  constructor(options: TraceThreadOptions) {
    this.options = options;
  }

  static get isCompiled(): boolean {
    return existsSync(fileURLToPath(FILE));
  }

  run(view: ViewName, request: TraceRequest): Promise<RawJson> {
    if (this.tickets.size > WAITING_MAX) return Promise.reject(internalError('too many traces wait'));
    this.worker ??= this.start();
    const ticket = this.next++;
    const config = toPlain(request.config);
    const plain = 'id' in request ? { ...request, config } : { ...request, block: toPlain(request.block), config };
    this.worker.postMessage({ ticket, view, request: plain as TraceTask['request'] } satisfies TraceTask);
    return new Promise((resolve, reject) => {
      this.tickets.set(ticket, { resolve, reject });
      if (this.tickets.size === 1) this.watch();
    });
  }

  async close(): Promise<void> {
    clearTimeout(this.timer);
    await this.worker?.terminate();
  }

  private start(): Worker {
    const { log } = this.options;
    const worker = new Worker(FILE, { workerData: this.workerData() });
    worker.on('message', (outcome: TraceOutcome) => this.settle(outcome));
    worker.on('error', (error) => log.error({ err: error }, 'the tracing thread failed'));
    worker.once('exit', () => {
      clearTimeout(this.timer);
      this.worker = undefined;
      for (const { reject } of this.tickets.values()) reject(internalError('the trace was broken off'));
      this.tickets.clear();
    });
    worker.unref();
    return worker;
  }

  private settle(outcome: TraceOutcome): void {
    const ticket = this.tickets.get(outcome.ticket);
    this.tickets.delete(outcome.ticket);
    if (this.tickets.size > 0) this.watch();
    else clearTimeout(this.timer);
    if (ticket === undefined) return;
    if ('text' in outcome) ticket.resolve(new RawJson(outcome.text));
    else if ('refusal' in outcome) ticket.reject(new RpcError(outcome.refusal.code, outcome.refusal.text));
    else ticket.reject(new JavaError(outcome.exception.javaClass, outcome.exception.text));
  }

  private watch(): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => {
      this.options.log.warn('a trace was broken off: it took too long');
      void this.worker?.terminate();
    }, STUCK_MS);
  }

  private workerData(): TraceThreadData {
    const { ledger, dataDir, config, log } = this.options;
    const { peers, node, ...rest } = config;
    // Rules are functions, which do not cross threads.
    const { shutdown: _, ...plainNode } = node as typeof node & { shutdown?: unknown };
    return {
      dataDir,
      config: { ...rest, node: plainNode } as TraceThreadData['config'],
      peers: peers.value,
      level: log.level,
      bell: ledger.bellBuffer,
    };
  }
}
