import { isAbsolute, join } from 'node:path';
import type { Logger } from 'pino';
import type { Ledger } from '../../projections/ledger.js';
import { RecordMaker } from './block-records.js';
import { ContractBook } from './contract-book.js';
import { forward, type SinkStatus } from './forward.js';
import { KafkaSink } from './kafka/kafka-sink.js';
import { NdjsonSink } from './ndjson-sink.js';
import type { Sink } from './sink.js';
import type { SinkOptions } from './sink-options.js';
import { StdoutSink } from './stdout-sink.js';
import { DEFAULT_PORT, ZeroMqSink } from './zeromq-sink.js';

export interface ForwarderOptions {
  /** Only read: it may be the writer's own or a read-only one in another thread. */
  readonly ledger: Ledger;
  readonly dataDir: string;
  readonly sinks: readonly SinkOptions[];
  readonly addressPrefix: number;
  /** `event.subscribe.contractParse` */
  readonly parsesContracts: boolean;
  readonly log: Logger;
  readonly onStatus?: (status: SinkStatus) => void;
}

/** How long closing waits for sinks. */
export interface Patience {
  /** ms without progress of any of them. */
  readonly quietMs: number;
  /** ms in all. */
  readonly maxMs: number;
}

/** Passes irreversible blocks on to all sinks, each at its own pace and from its own place. */
export class Forwarder {
  private readonly stop = new AbortController();
  private readonly drainage = new AbortController();
  private readonly book: ContractBook | undefined;
  private readonly ends: Promise<unknown>;
  private lastProgress = 0;

  constructor(options: ForwarderOptions) {
    const { ledger, dataDir, sinks, addressPrefix, parsesContracts, log, onStatus } = options;
    this.book = sinks.some((sink) => RecordMaker.needsBook(sink)) ? new ContractBook(ledger, dataDir) : undefined;
    this.ends = Promise.all(
      sinks.map((sink) =>
        forward({
          ledger,
          sink: createSink(sink, options),
          finality: sink.finality,
          maker: new RecordMaker({ ledger, sink, book: this.book, addressPrefix, parsesContracts }),
          log,
          signal: this.stop.signal,
          drain: this.drainage.signal,
          onStatus: (status) => {
            this.lastProgress = status.state === 'forwarding' ? Date.now() : this.lastProgress;
            onStatus?.(status);
          },
        }),
      ),
    );
  }

  /** Ends when all that is in the log has been passed on, or when the patience is over: the rest follows at the next start. */
  async close({ quietMs, maxMs }: Patience): Promise<void> {
    this.drainage.abort();
    const end = Date.now() + maxMs;
    this.lastProgress = Date.now();
    const timer = setInterval(() => {
      if (Date.now() > end || Date.now() - this.lastProgress > quietMs) this.stop.abort();
    }, PATIENCE_MS);
    await this.ends;
    clearInterval(timer);
    await this.book?.close();
  }
}

/** ms between two looks at the clock while closing. */
const PATIENCE_MS = 50;

function createSink(sink: SinkOptions, { dataDir, ledger, log }: ForwarderOptions): Sink {
  const { name, type, finality = 'solidified' } = sink;
  const placeFile = placeFileOf(dataDir, name);
  if (type === 'stdout') return new StdoutSink({ name, placeFile });
  if (type === 'zeromq') return new ZeroMqSink({ name, port: sink.port ?? DEFAULT_PORT, placeFile, ledger, finality });
  if (type === 'kafka') return new KafkaSink({ sink, placeFile, log });
  const path = sink.path ?? `${name}.ndjson`;
  return new NdjsonSink({ name, path: isAbsolute(path) ? path : join(dataDir, path), placeFile });
}

/** Where the node remembers how far a sink has come. */
export function placeFileOf(dataDir: string, name: string): string {
  return join(dataDir, 'streams', `${encodeURIComponent(name)}.json`);
}
