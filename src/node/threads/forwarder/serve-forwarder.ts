import { pino } from 'pino';
import type { LedgerOptions } from '../../../projections/ledger/ledger.js';
import { openLedger } from '../../../projections/ledger/open-ledger.js';
import { type CloseLimits, Forwarder, type ForwarderOptions } from '../../../streams/forwarding/forwarder.js';
import type { SinkStatus } from '../../../streams/forwarding/sink-status.js';
import type { SinkOptions } from '../../../streams/sinks/sink-kinds.js';
import type { WorkerContext } from '../../workers/worker-context.js';
import { PastChangesThread, type PastChangesThreadSource } from '../executed-changes/past-changes-thread.js';

/** Start data of the forwarding thread. */
export type ForwarderData = Pick<
  ForwarderOptions,
  'dataDir' | 'sinks' | 'addressPrefix' | 'blackhole' | 'parsesContracts' | 'laterTriggers'
> &
  Pick<LedgerOptions, 'retention' | 'checkpointVersion'> & {
    readonly notifier: SharedArrayBuffer;
    readonly level: string;
    readonly pastChanges: PastChangesThreadSource | undefined;
  };

/** Requests to the thread. An answer means that the request is complete. */
export type SinkCall =
  | { readonly kind: 'start'; readonly sink: SinkOptions }
  | { readonly kind: 'stop'; readonly name: string };

/** Runs the forwarder until the owner closes it. */
export async function serveForwarder(side: WorkerContext<ForwarderData>): Promise<void> {
  const { notifier, level, retention, checkpointVersion, pastChanges, ...options } = side.data;
  // Sends log lines to the main thread, which is the only thread that writes the log file.
  const log = pino({ level }, { write: side.line });
  const ledger = await openLedger({
    dataDir: options.dataDir,
    retention,
    checkpointVersion,
    log,
    readOnly: true,
    notifier,
  });
  const link = side.link<SinkStatus, never, never, SinkCall>({
    answer: (call) => (call.kind === 'start' ? forwarder.start(call.sink) : forwarder.stop(call.name)),
  });
  const forwarder = new Forwarder({
    ...options,
    ...(pastChanges && { openPastChanges: (name: string) => new PastChangesThread(pastChanges, { name, log }) }),
    ledger,
    log,
    onStatus: (status) => link.send(status),
  });
  side.serve(link, async (limits) => {
    // `limits` is the argument that the owner passed to `WorkerHandle.close`.
    await forwarder.close(limits as CloseLimits);
    // Closes the ledger of this thread, and wakes the readers that wait for new entries of this ledger. Ledgers of
    // other threads remain open.
    await ledger.close();
  });
}
