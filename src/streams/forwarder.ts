import { isAbsolute, join } from 'node:path';
import type { Logger } from 'pino';
import { type GivenAbis, openGivenAbis } from '../content/abi/given-abis.js';
import type { Ledger } from '../projections/ledger/ledger.js';
import { ChangesReader, type PastChanges } from './follow/past-changes.js';
import { forward, type SinkStatus } from './forward.js';
import { ContractBook } from './records/contract-book.js';
import { RecordMaker } from './records/record-maker.js';
import { KafkaSink } from './sinks/kafka/kafka-sink.js';
import { NdjsonSink } from './sinks/ndjson/ndjson-sink.js';
import { PlaceFile, placeFileOf } from './sinks/place-file.js';
import type { Sink } from './sinks/sink.js';
import { QUEUE_PORT, type SinkOptions } from './sinks/sink-options.js';
import { StdoutSink } from './sinks/stdout/stdout-sink.js';
import { ZeroMqSink } from './sinks/zeromq/zeromq-sink.js';

export interface ForwarderOptions {
  /** Only read: it may be the writer's own or a read-only one in another thread. */
  readonly ledger: Ledger;
  readonly dataDir: string;
  readonly sinks: readonly SinkOptions[];
  readonly addressPrefix: number;
  /** `event.subscribe.contractParse` */
  readonly parsesContracts: boolean;
  /** As the release's `laterTriggers`. */
  readonly laterTriggers: boolean;
  /** Starts executing again for a sink that needs changes below the kept height. */
  readonly openPastChanges?: (sink: string) => PastChanges;
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

interface Running {
  /** Ends it at once. */
  readonly stop: AbortController;
  readonly end: Promise<void>;
}

/** Passes blocks on to all sinks, each at its own pace and from its own place. Sinks come and go while it runs. */
export class Forwarder {
  private readonly options: ForwarderOptions;
  private readonly running = new Map<string, Running>();
  private readonly drainage = new AbortController();
  private book: ContractBook | undefined;
  private readonly abis: GivenAbis;
  private lastProgress = 0;

  constructor(options: ForwarderOptions) {
    this.options = options;
    this.abis = openGivenAbis(options);
    for (const sink of options.sinks) this.start(sink);
  }

  /** Starts a sink, at the place where it stopped the last time. A sink of that name must not run. */
  start(sink: SinkOptions): void {
    const { ledger, dataDir, addressPrefix, parsesContracts, laterTriggers, log, onStatus } = this.options;
    const stop = new AbortController();
    if (RecordMaker.needsBook(sink)) this.book ??= new ContractBook(ledger, dataDir);
    const changes = this.changesFor(sink);
    const end = forward({
      ledger,
      sink: createSink(sink, this.options),
      extent: sink,
      maker: new RecordMaker({
        ledger,
        sink,
        changes,
        book: this.book,
        abis: this.abis,
        addressPrefix,
        parsesContracts,
        laterTriggers,
      }),
      log,
      signal: stop.signal,
      drain: this.drainage.signal,
      onStatus: (status) => {
        this.lastProgress = status.state === 'forwarding' ? Date.now() : this.lastProgress;
        if (status.state === 'done') new PlaceFile(placeFileOf(dataDir, sink.name)).finish();
        onStatus?.(status);
      },
    }).finally(() => changes.close());
    this.running.set(sink.name, { stop, end });
  }

  /** Only the irreversible chain can be executed again: other branches leave no trace in the state of genesis. */
  private changesFor({ name, finality }: SinkOptions): ChangesReader {
    const { ledger, openPastChanges, log } = this.options;
    if (openPastChanges === undefined || finality === 'applied') return new ChangesReader(ledger);
    return new ChangesReader(ledger, () => {
      log.info({ sink: name, keptHeight: ledger.keptHeight }, 'sink executes blocks again, from genesis on');
      return openPastChanges(name);
    });
  }

  /** Ends a sink; what it has passed on stays known. */
  async stop(name: string): Promise<void> {
    const sink = this.running.get(name);
    this.running.delete(name);
    sink?.stop.abort();
    await sink?.end;
  }

  /** Ends when all that is in the log has been passed on, or when the patience is over: the rest follows at the next start. */
  async close({ quietMs, maxMs }: Patience): Promise<void> {
    this.drainage.abort();
    const end = Date.now() + maxMs;
    this.lastProgress = Date.now();
    const timer = setInterval(() => {
      if (Date.now() <= end && Date.now() - this.lastProgress <= quietMs) return;
      for (const { stop } of this.running.values()) stop.abort();
    }, PATIENCE_MS);
    await Promise.all([...this.running.values()].map((sink) => sink.end));
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
  if (type === 'zeromq') return new ZeroMqSink({ name, port: sink.port ?? QUEUE_PORT, placeFile, ledger, finality });
  if (type === 'kafka') return new KafkaSink({ sink: { ...sink, topics: sink.only ?? sink.topics }, placeFile, log });
  const path = sink.path ?? `${name}.ndjson`;
  return new NdjsonSink({ name, path: isAbsolute(path) ? path : join(dataDir, path), placeFile });
}
