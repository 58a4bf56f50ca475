import { SignedBlocks, SignedBlocksError, witnessText } from '../../chain/production/signed-blocks.js';
import type { NodeConfig } from '../../config/load-config.js';
import { type Finding, finding } from './finding.js';

const CHECK = 'signing';

/**
 * Reports the newest signed block of each witness in the data folder. Returns no finding if the node has no witness
 * key and does not produce blocks. `--witness` without a key is critical, and so is an unreadable file of signed
 * blocks.
 */
export function checkSignedBlocks({ witness, outputDirectory }: NodeConfig): Finding[] {
  if (witness.privateKeys.length === 0) {
    const remedy = 'set localwitness or localwitnesskeystore, or start without --witness';
    return witness.enabled
      ? [finding(CHECK, 'bad', '--witness is set without a private key, so the node signs no block', remedy)]
      : [];
  }
  try {
    const { all } = SignedBlocks.open(outputDirectory);
    const newest = all.map((block) => `${witnessText(block.witness)} ${block.number}`);
    return [finding(CHECK, 'ok', newest.length === 0 ? 'no signed block' : `signed up to ${newest.join(', ')}`, '')];
  } catch (error) {
    if (!(error instanceof SignedBlocksError)) throw error;
    return [finding(CHECK, 'bad', error.message, 'replace the file; until then, the node does not start as a witness')];
  }
}
