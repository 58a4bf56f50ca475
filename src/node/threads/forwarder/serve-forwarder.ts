import type { MessagePort } from 'node:worker_threads';
import { pino } from 'pino';
import type { LedgerOptions } from '../../../projections/ledger/ledger.js';
import { openLedger } from '../../../projections/ledger/open-ledger.js';
import { PastChangesThread, type PastChangesThreadSource } from '../../../streams/follow/past-changes.js';
import { Forwarder, type ForwarderOptions, type Patience } from '../../../streams/forwarder.js';
import type { SinkOptions } from '../../../streams/sinks/sink-options.js';

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

/** What it is told afterwards. */
export interface ForwarderMessage {
  readonly start?: SinkOptions;
  /** Name of a sink; answered with `stopped`. */
  readonly stop?: string;
  readonly close?: Patience;
}

/** Forwards until it is told to close. */
export async function serveForwarder(port: MessagePort, data: ForwarderData): Promise<void> {
  const { bell, level, retention, checkpointVersion, pastChanges, ...options } = data;
  // One thread writes the log: the lines go there.
  const log = pino({ level }, { write: (line: string) => port.postMessage({ line }) });
  const ledger = await openLedger({
    dataDir: options.dataDir,
    retention,
    checkpointVersion,
    log,
    readOnly: true,
    bell,
  });
  const forwarder = new Forwarder({
    ...options,
    ...(pastChanges && { openPastChanges: (name: string) => new PastChangesThread(pastChanges, name) }),
    ledger,
    log,
    onStatus: (status) => port.postMessage({ status }),
  });
  port.on('message', async ({ start, stop, close }: ForwarderMessage) => {
    if (start !== undefined) forwarder.start(start);
    if (stop !== undefined) {
      await forwarder.stop(stop);
      port.postMessage({ stopped: stop });
    }
    if (close === undefined) return;
    await forwarder.close(close);
    // The bell is the writer's: closing rings it, nothing else.
    await ledger.close();
    port.postMessage({ closed: true });
    port.close();
  });
}
