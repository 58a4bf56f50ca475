import type { Logger } from 'pino';
import type { NodeConfig } from '../../config/load-config.js';
import type { SourceOptions } from '../../config/rows/source-row.js';
import { UsageError } from '../../primitives/errors.js';
import { TronicleNode } from '../lifecycle/node.js';
import { ReplicaLag } from '../metrics/replica-lag.js';
import { startServices } from '../startup/start-services.js';
import { untilStopped } from '../until-stopped.js';
import { FollowLog } from './follow-log.js';

/**
 * Runs a read replica until it is stopped. It serves all APIs, but reads the log of another node instead of connecting
 * to peers or producing blocks.
 * @throws {UsageError} the configuration does not suit a replica
 * @throws {ReplicaError} the followed log does not continue the local log
 * @throws {DamageError} the data folder is damaged
 */
export async function runReplica(config: NodeConfig, source: SourceOptions, log: Logger): Promise<number> {
  checkRole(config, source);
  const stopped = untilStopped();
  const node = await TronicleNode.open({ config, dataDir: config.outputDirectory, log });
  try {
    const { chain, target, clock } = node;
    const { headNumber } = chain.ledger.position;
    if (target.isReached) {
      log.info(`Auto-stop hit: shutDownBlockHeight: ${headNumber}, currentHeaderNum: ${headNumber}, exit now`);
      return 0;
    }
    const lag = new ReplicaLag(clock.now);
    await startServices(node, lag);
    const following = new FollowLog({ chain, source, target, lag, log });
    node.add(following);
    log.info({ head: headNumber, submit: source.submit ?? null }, 'replica started');
    await Promise.race([stopped, following.ended]);
    log.info('replica stopping');
  } finally {
    await node.close();
  }
  return 0;
}

/**
 * Checks that the configuration suits a replica.
 * @throws {UsageError} the configuration enables block production, or a Kafka sink with the topic prefix of the
 * followed node
 */
export function checkRole({ witness, tronicle: { sinks } }: NodeConfig, source: SourceOptions): void {
  if (witness.enabled) throw new UsageError('a read replica produces no blocks; remove --witness or tronicle.source');
  // An operator may start a replica with the configuration of the followed node. The sink of the replica would then
  // write to the topics of that node.
  const same = sinks.find((sink) => sink.type === 'kafka' && sink.prefix === source.prefix);
  if (same !== undefined)
    throw new UsageError(
      `sink ${same.name} has the same topic prefix as the followed node, so the sink and the node would write to the same topics; remove the sink, or set another ` +
        'prefix',
    );
}
