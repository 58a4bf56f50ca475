import type { Logger } from 'pino';
import type { SinkStatus } from '../api/streams/forward.js';
import { type Patience, placeFileOf } from '../api/streams/forwarder.js';
import { ForwarderThread } from '../api/streams/forwarder-thread.js';
import { PlaceFile } from '../api/streams/place-file.js';
import { UsageError } from '../log/domain/errors.js';
import type { Chain } from './chain/chain.js';
import type { NodeConfig } from './config/load-config.js';
import { eventSinks } from './event-sinks.js';
import type { Service, TronicleNode } from './node.js';

export interface ServeSinksOptions {
  readonly config: NodeConfig;
  readonly dataDir: string;
  readonly chain: Chain;
  readonly log: Logger;
  /** How long closing waits for sinks to take what is in the log; the rest follows at the next start. */
  readonly patience: Patience;
  /** Hears of every change of a sink: for metrics. */
  readonly onStatus?: (status: SinkStatus) => void;
}

export interface SinkService extends Service {
  /** Newest status of every sink, by name. */
  readonly statuses: ReadonlyMap<string, SinkStatus>;
}

/** A stop of the node must end within ten seconds. */
export const NODE_PATIENCE: Patience = { quietMs: 1000, maxMs: 4000 };
/** An import is over when the sinks have what was imported; one that is away does not hold it up for long. */
export const IMPORT_PATIENCE: Patience = { quietMs: 20_000, maxMs: Number.MAX_SAFE_INTEGER };

/** Forwards what a running node makes irreversible. */
export function addSinks(node: TronicleNode): SinkService | undefined {
  const { config, dataDir, chain, log } = node;
  const sinks = serveSinks({ config, dataDir, chain, log, patience: NODE_PATIENCE });
  if (sinks !== undefined) node.add(sinks);
  return sinks;
}

/**
 * Starts forwarding to the configured sinks (`tronicle.sinks`); undefined when there are none.
 * @throws {UsageError} a payload format that this release does not write
 */
export function serveSinks(options: ServeSinksOptions): SinkService | undefined {
  const { config, dataDir, chain, log, patience, onStatus } = options;
  const sinks = [...config.tronicle.sinks, ...eventSinks(config, log)];
  if (sinks.length === 0) return undefined;
  const other = sinks.find(({ format }) => format !== 'json');
  if (other !== undefined)
    throw new UsageError(`Check tronicle.sinks.format of "${other.name}", only json is written so far`);
  const { ledger } = chain;
  // Internal transactions lie in the changes: what a sink has not passed on yet must not be forgotten.
  const hold = (name: string, seq: number): void => ledger.holdChanges(`sink ${name}`, seq);
  for (const { name } of sinks) hold(name, new PlaceFile(placeFileOf(dataDir, name)).read()?.seq ?? -1);
  const forwarder = new ForwarderThread({
    ledger,
    dataDir,
    sinks,
    addressPrefix: config.addressPrefix,
    parsesContracts: config.contractParse,
    retention: config.tronicle.history.retention,
    checkpointVersion: config.storage.checkpoint.version === 2 ? 2 : 1,
    log,
    onStatus: (status) => {
      if (status.state === 'forwarding') hold(status.name, status.seq);
      onStatus?.(status);
    },
  });
  return {
    statuses: forwarder.statuses,
    close: async () => {
      await ledger.flush();
      await forwarder.close(patience);
    },
  };
}
