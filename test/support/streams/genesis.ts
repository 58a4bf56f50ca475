import { Block } from '../../../src/codec/generated/messages.js';
import type { LedgerOptions } from '../../../src/projections/ledger/ledger.js';
import type { WriterLedger } from '../../../src/projections/ledger/writer-ledger.js';
import { genesis, open } from '../projections/chain.js';

/** Opens a ledger with a valid genesis block. */
export function openChain(dataDir: string, options: Partial<LedgerOptions> = {}): Promise<WriterLedger> {
  const block = { ...genesis, blockBytes: Block.encode(new Block()) };
  return open(dataDir, { genesis: block, retention: 'all', ...options });
}
