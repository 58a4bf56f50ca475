import { pino } from 'pino';
import type { LedgerOptions } from '../../../projections/ledger/ledger.js';
import { openLedger } from '../../../projections/ledger/open-ledger.js';
import type { SinkStatus } from '../../../streams/forwarding/forward.js';
import { type CloseLimits, Forwarder, type ForwarderOptions } from '../../../streams/forwarding/forwarder.js';
import type { SinkOptions } from '../../../streams/sinks/sink-kinds.js';
import type { WorkerContext } from '../../workers/worker-context.js';
import { PastChangesThread, type PastChangesThreadSource } from '../executed-changes/past-changes-thread.js';

/** What the forwarding thread is started with. */
export type ForwarderData = Pick<
  ForwarderOptions,
  'dataDir' | 'sinks' | 'addressPrefix' | 'parsesContracts' | 'laterTriggers'
> &
  Pick<LedgerOptions, 'retention' | 'checkpointVersion'> & {
    readonly bell: SharedArrayBuffer;
    readonly level: string;
    readonly pastChanges: PastChangesThreadSource | undefined;
  };

/** What it is asked to do; answered when it is done. */
export type SinkCall =
  | { readonly kind: 'start'; readonly sink: SinkOptions }
  | { readonly kind: 'stop'; readonly name: string };

/** Forwards until it is told to close, with what it then waits for. */
export async function serveForwarder(side: WorkerContext<ForwarderData>): Promise<void> {
  const { bell, level, retention, checkpointVersion, pastChanges, ...options } = side.data;
  // One thread writes the log: the lines go there.
  const log = pino({ level }, { write: side.line });
  const ledger = await openLedger({
    dataDir: options.dataDir,
    retention,
    checkpointVersion,
    log,
    readOnly: true,
    bell,
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
    // That is how the thread that owns it closes it.
    await forwarder.close(limits as CloseLimits);
    // The bell is the writer's: closing rings it, nothing else.
    await ledger.close();
  });
}
