import type { Chain } from '../../chain/chain.js';
import { ProtobufError } from '../../codec/reader.js';
import { isFarAhead } from '../../p2p/sync/blocks-ahead.js';
import { present } from '../../primitives/assert.js';
import { toHex } from '../../primitives/bytes.js';
import { UsageError } from '../../primitives/errors.js';
import { type DecodedBlock, decodeBlock } from '../../state-transition/block/decoded-block.js';
import { type EncodedBlock, readEncodedBlock } from '../../state-transition/block/encoded-block.js';
import { ChainError } from '../../state-transition/errors.js';
import type { FindSigner } from '../../state-transition/transactions/validate-signature.js';
import type { SignaturePool } from '../threads/signatures/signature-pool.js';

interface ImportOptions {
  readonly chain: Chain;
  readonly blocks: AsyncIterable<Uint8Array>;
  readonly signatures: SignaturePool;
  /** Height of the last block to import. */
  readonly until?: number;
  /** Called before each block. If it returns true, the import stops before this block. */
  readonly mustStop?: (block: EncodedBlock) => boolean;
  readonly onProgress?: (progress: ImportProgress) => void;
}

interface ImportProgress {
  readonly head: number;
  readonly blocks: number;
  readonly transactions: number;
}

/**
 * Imports blocks in order, like blocks from peers. Skips blocks that the chain already has, so an interrupted import
 * can be repeated. All imported blocks are durable when the promise resolves.
 * @throws {UsageError} a malformed or invalid block; the blocks before it remain imported
 */
export async function importBlocks(options: ImportOptions): Promise<ImportProgress> {
  const { chain, until = Number.POSITIVE_INFINITY, mustStop } = options;
  const done = { head: chain.ledger.position.headNumber, blocks: 0, transactions: 0 };
  try {
    for await (const { block: encoded, findSigner } of prepared(options)) {
      if (encoded.number > until || mustStop?.(encoded) === true) break;
      const block = read(encoded.bytes, decodeBlock);
      push(chain, block, findSigner);
      done.head = chain.ledger.position.headNumber;
      done.blocks++;
      done.transactions += block.transactions.length;
      options.onProgress?.(done);
      if (done.blocks % YIELD_BLOCKS === 0) await new Promise(setImmediate);
    }
  } finally {
    await chain.ledger.flush();
  }
  return done;
}

/** Number of blocks after which the import yields to the event loop, so that API requests and signals are handled. */
const YIELD_BLOCKS = 8;

function push(chain: Chain, block: DecodedBlock, findSigner: FindSigner): void {
  try {
    chain.importBlock(block, { findSigner });
  } catch (error) {
    if (!(error instanceof ChainError)) throw error;
    const reason = chain.watch.whyRefused(block);
    if (reason !== undefined) throw new UsageError(reason, { cause: error });
    throw new UsageError(
      `block ${block.number} (${block.idHex}) is invalid: ${error.exception} ${error.text ?? ''}`.trim(),
      {
        cause: error,
      },
    );
  }
}

interface Prepared {
  readonly block: EncodedBlock;
  readonly findSigner: FindSigner;
}

async function* prepared({ chain, blocks, signatures }: ImportOptions): AsyncGenerator<Prepared> {
  const queue: Prepared[] = [];
  let transactions = 0;
  for await (const bytes of blocks) {
    const block = read(bytes, readEncodedBlock);
    if (isKnown(chain, block)) continue;
    queue.push({ block, findSigner: signatures.prepare(bytes) });
    transactions += block.transactionCount;
    while (isFarAhead({ blocks: queue.length, transactions })) {
      const oldest = present(queue.shift(), 'the list is not empty');
      transactions -= oldest.block.transactionCount;
      yield oldest;
    }
  }
  yield* queue;
}

function isKnown(chain: Chain, block: EncodedBlock): boolean {
  const { headNumber } = chain.ledger.position;
  return block.number <= headNumber && toHex(chain.ledger.blockIdAt(block.number) ?? new Uint8Array(0)) === block.idHex;
}

function read<T>(bytes: Uint8Array, as: (bytes: Uint8Array) => T): T {
  try {
    return as(bytes);
  } catch (error) {
    if (error instanceof ProtobufError) throw new UsageError(`malformed block: ${error.message}`, { cause: error });
    throw error;
  }
}
