import { checkFreeSpace } from '../../files/free-space.js';
import type { BlockLog } from '../../log/block-log.js';
import { NO_HASH } from '../../log/log-entry.js';
import { equalBytes, toHex } from '../../primitives/bytes.js';
import { UsageError } from '../../primitives/errors.js';
import { ChangeSet, encodeChangeSet, nextDigest, normaliseChanges } from '../state/change-set.js';
import type { RowChange, StoreRow } from '../state/state-reader.js';
import type { Genesis } from './ledger-types.js';

/**
 * Writes entry 0 of a new log: the genesis block. Its `changes` record contains all rows of the genesis state.
 * @throws {UsageError} no genesis is configured
 */
export function writeGenesis(blocks: BlockLog, dataDir: string, genesis: Genesis | undefined): void {
  if (genesis === undefined)
    throw new UsageError(`${dataDir} contains no chain; set the data folder of the node with -d`);
  checkFreeSpace(dataDir, genesis.blockBytes.length);
  const changes = normaliseChanges(fromRows(genesis.rows));
  const record = encodeChangeSet(changes, new Uint8Array(0));
  blocks.append(
    {
      kind: 'applied',
      number: 0,
      id: genesis.id,
      parentId: NO_HASH,
      digest: nextDigest(NO_HASH, undefined, new ChangeSet(record)),
      transactionIds: [],
      block: genesis.blockBytes,
      results: new Uint8Array(0),
    },
    record,
  );
  blocks.commit();
}

/**
 * Refuses a folder with another chain than the configured one.
 * @throws {UsageError} the genesis blocks differ. The error text is that of Manager.initGenesis.
 */
export function checkGenesis(blocks: BlockLog, dataDir: string, genesis: Genesis | undefined): void {
  const stored = blocks.start.base?.genesisId ?? blocks.index.heightRow(0)?.id;
  if (genesis === undefined || (stored && equalBytes(stored, genesis.id))) return;
  throw new UsageError(
    `Genesis block modify, please delete database directory(${dataDir}) and restart. ` +
      `(the folder contains genesis block ${stored ? toHex(stored) : 'none'}, the configuration has ${toHex(genesis.id)})`,
  );
}

function* fromRows(rows: Iterable<StoreRow>): IterableIterator<RowChange> {
  for (const { store, key, value } of rows) yield { store, key, before: undefined, after: value };
}
