import type { Logger } from 'pino';
import type { NodeConfig } from '../../config/load-config.js';
import { UsageError } from '../../primitives/errors.js';
import { TronicleNode } from '../lifecycle/node.js';
import { startServices } from '../startup/start-services.js';
import { untilStopped } from '../until-stopped.js';
import { FollowTrustedNode } from './follow-trusted-node.js';

/**
 * Runs a solidity node until it is stopped. It executes the solidified blocks of one trusted node. It serves the
 * solidified state on the ports `node.http.solidityPort` and `node.rpc.port`. Since release 4.8.0, java-tron selects
 * this mode by a flag; before, it was a separate program. Reference: SolidityNode.main
 * @throws {UsageError} the configuration has no trusted node, or enables block production; without a trusted node,
 * java-tron ends with exit code 0, which a script interprets as success
 * @throws {DamageError} the data folder is damaged
 */
export async function runSolidityNode(config: NodeConfig, log: Logger): Promise<number> {
  const { trustNode } = config.node;
  if (trustNode === undefined || trustNode === '')
    throw new UsageError('a solidity node needs a trusted node: set --trust-node <host:port>, or node.trustNode');
  if (config.witness.enabled) throw new UsageError('a solidity node produces no blocks; remove --witness');
  const stopped = untilStopped();
  const node = await TronicleNode.open({ config, dataDir: config.outputDirectory, log });
  try {
    const { chain, target } = node;
    const { headNumber } = chain.ledger.position;
    await startServices(node);
    const following = new FollowTrustedNode({ chain, address: trustNode, target, log });
    node.add(following);
    log.info({ head: headNumber, trustNode }, 'solidity node started');
    await Promise.race([stopped, following.ended]);
    log.info('node stopping');
  } finally {
    await node.close();
  }
  return 0;
}
