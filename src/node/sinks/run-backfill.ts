import type { Logger } from 'pino';
import { apiRelease } from '../../api/releases/releases.js';
import type { Chain } from '../../chain/chain.js';
import type { NodeConfig } from '../../config/load-config.js';
import { Forwarder } from '../../streams/forwarding/forwarder.js';
import type { SinkStatus } from '../../streams/forwarding/sink-status.js';
import type { SinkOptions } from '../../streams/sinks/sink-kinds.js';
import { pastChangesOf } from '../threads/executed-changes/executed-changes.js';

interface RunBackfillOptions {
  readonly config: NodeConfig;
  readonly dataDir: string;
  readonly chain: Chain;
  readonly log: Logger;
}

/** States in which a sink has ended and forwards no more records. */
const ENDS: ReadonlySet<SinkStatus['state']> = new Set(['done', 'stopped', 'closed']);

/** Runs a backfill until it ends, then closes the data folder. Used if no node is running. @returns the final status */
export async function runBackfill(
  { config, dataDir, chain, log }: RunBackfillOptions,
  sink: SinkOptions,
): Promise<SinkStatus> {
  const { ledger } = chain;
  const { addressPrefix, contractParse: parsesContracts } = config;
  const { laterTriggers } = apiRelease(config.tronicle.release);
  const openPastChanges = pastChangesOf(config, dataDir).open;
  let forwarder: Forwarder | undefined;
  const status = await new Promise<SinkStatus>((resolve) => {
    const onStatus = (now: SinkStatus): void => {
      if (ENDS.has(now.state)) resolve(now);
    };
    forwarder = new Forwarder({
      ...{
        ledger,
        dataDir,
        sinks: [sink],
        addressPrefix,
        blackhole: chain.state.rules.blackhole,
        parsesContracts,
        laterTriggers,
        openPastChanges,
        log,
        onStatus,
      },
    });
  });
  await forwarder?.close({ quietMs: 0, maxMs: 1000 });
  await chain.ledger.close();
  return status;
}
