import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { fromHex } from '../../../src/domain/bytes.js';
import type { Chain } from '../../../src/node/chain/chain.js';
import { type DecodedBlock, decodeBlock } from '../../../src/vm/block/decoded-block.js';
import { ChainError } from '../../../src/vm/errors.js';

/** A recorded chain without its genesis. */
export function blocksOf(folder: string): DecodedBlock[] {
  return gunzipSync(readFileSync(join(folder, 'blocks.ndjson.gz')))
    .toString()
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { num: number; block: string })
    .filter(({ num }) => num > 0)
    .map(({ block }) => decodeBlock(fromHex(block)));
}

/** Lets a block's transactions wait, as far as they may. */
export function offer({ pool }: Chain, { transactions }: DecodedBlock): void {
  for (const transaction of transactions) {
    try {
      pool.push(transaction);
    } catch (error) {
      if (!(error instanceof ChainError)) throw error;
    }
  }
}
