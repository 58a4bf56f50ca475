import { HASH_BYTES } from '../../crypto/hash.js';
import type { JavaData } from '../../java-tron-data/java-data.js';
import { JavaDataError } from '../../java-tron-data/java-data-error.js';
import { seqKey } from '../../log/block-key.js';
import { equalBytes, toHex, toInt64 } from '../../primitives/bytes.js';
import { UsageError } from '../../primitives/errors.js';

/** Height and id of a block of the source. */
export interface SourceBlock {
  readonly number: number;
  readonly id: Uint8Array;
}

export interface SourceHead {
  readonly head: SourceBlock;
  readonly solidified: SourceBlock;
}

/**
 * Returns the head and the solidified block of a data folder.
 * @throws {JavaDataError} properties and block index do not match
 * @throws {UsageError} the chain is not the configured one
 */
export function readSourceHead(data: JavaData, genesisId: Uint8Array): SourceHead {
  const genesis = idAt(data, 0);
  if (!equalBytes(genesis, genesisId)) {
    throw new UsageError(
      `${data.folder} has a chain with genesis block ${toHex(genesis)}, but the configuration has ${toHex(genesisId)}; pass the configuration file of that chain with -c`,
    );
  }
  const number = property(data, 'latest_block_header_number');
  const solidified = property(data, 'LATEST_SOLIDIFIED_BLOCK_NUM');
  const head = { number, id: idAt(data, number) };
  const hash = data.property('latest_block_header_hash');
  if (hash === undefined || !equalBytes(hash, head.id)) {
    throw data.error('block-index', `the id of block ${number} does not match the properties`);
  }
  return { head, solidified: { number: solidified, id: idAt(data, Math.min(number, solidified)) } };
}

function property(data: JavaData, name: string): number {
  const value = data.property(name);
  const number = value === undefined ? -1 : Number(toInt64(value));
  if (!Number.isSafeInteger(number) || number < 0) throw data.error('properties', `missing or invalid ${name}`);
  return number;
}

/**
 * Returns the id of the block at a height.
 * @throws {JavaDataError} the store `block-index` has no row for the height
 */
function idAt(data: JavaData, number: number): Uint8Array {
  const rows = data.rows('block-index', seqKey(number));
  try {
    const isThere = rows.next() && rows.key.equals(seqKey(number)) && rows.value.length === HASH_BYTES;
    if (!isThere) throw new JavaDataError(data.folder, `block ${number} is missing in the store block-index`);
    return Buffer.from(rows.value);
  } finally {
    rows.close();
  }
}
