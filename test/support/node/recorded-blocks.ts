import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import type { Chain } from '../../../src/chain/chain.js';
import { fromHex } from '../../../src/primitives/bytes.js';
import { type DecodedBlock, decodeBlock } from '../../../src/state-transition/block/decoded-block.js';
import { ChainError } from '../../../src/state-transition/errors.js';

/** Returns the blocks of a recorded chain, without genesis. */
export function blocksOf(folder: string): DecodedBlock[] {
  return gunzipSync(readFileSync(join(folder, 'blocks.ndjson.gz')))
    .toString()
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { num: number; block: string })
    .filter(({ num }) => num > 0)
    .map(({ block }) => decodeBlock(fromHex(block)));
}

/** Adds the transactions of a block to the mempool. Ignores transactions that the mempool rejects. */
export function offer({ mempool }: Chain, { transactions }: DecodedBlock): void {
  for (const transaction of transactions) {
    try {
      mempool.add(transaction);
    } catch (error) {
      if (!(error instanceof ChainError)) throw error;
    }
  }
}
