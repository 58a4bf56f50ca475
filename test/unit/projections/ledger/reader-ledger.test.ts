import t from 'tap';
import { BlockLog } from '../../../../src/log/block-log.js';
import { LogMarker } from '../../../../src/log/log-marker.js';
import { Checkpoints } from '../../../../src/projections/ledger/checkpoint.js';
import type { LedgerParts } from '../../../../src/projections/ledger/ledger-types.js';
import { ReaderLedger } from '../../../../src/projections/ledger/reader-ledger.js';
import type { WriterLedger } from '../../../../src/projections/ledger/writer-ledger.js';
import { StateDatabase } from '../../../../src/projections/rows/state-database.js';
import { storeId } from '../../../../src/projections/rows/stores.js';
import { CheckRecord } from '../../../../src/projections/verify/check-record.js';
import { blockId, genesis, open, silent, temporaryFolder } from '../../../support/projections/chain.js';

const store = storeId('account');
const key = Buffer.from('counter');

/** Appends a block that counts on, and flushes. */
async function grow(ledger: WriterLedger): Promise<void> {
  const { headNumber, headId } = ledger.position;
  const number = headNumber + 1;
  ledger.append({
    number,
    id: blockId(number, 'x'),
    parentId: headId,
    bytes: Buffer.from(`block ${number}`),
    results: Buffer.alloc(0),
    transactionIds: [],
    changes: [{ store, key, before: ledger.head.get(store, key), after: Buffer.from([number]) }],
    internalTransactions: Buffer.alloc(0),
    solidified: { number: 0, id: ledger.blockIdAt(0)! },
  });
  await ledger.flush();
}

t.test('a writer goes on while a reader opens: log, then state', async (t) => {
  const dataDir = temporaryFolder(t);
  const writer = await open(dataDir);
  await grow(writer);
  const blocks = new BlockLog({ dataDir, readOnly: true });
  t.equal(blocks.index.heightRow(1)?.seq, 1, 'the log has been read');
  await grow(writer);
  await grow(writer);
  const state = new StateDatabase(dataDir, { readOnly: true });
  t.equal(state.cursor()?.number, 3);
  const [checkpoints, marker] = [new Checkpoints(dataDir, 1, silent), new LogMarker(dataDir)];
  const parts: LedgerParts = { blocks, state, checkpoints, marker, lock: undefined, checks: new CheckRecord(dataDir) };
  const options = { dataDir, genesis, retention: 'all', checkpointVersion: 1, log: silent, readOnly: true } as const;
  const reader = new ReaderLedger(options, parts);
  t.match(reader.position, { seq: 3, headNumber: 3 });
  t.equal(reader.block(3)?.number, 3);
  for (const height of [1, 2, 3]) t.same(reader.at(height).get(store, key), [height], `state at ${height}`);
  await grow(writer);
  reader.refresh();
  t.match(reader.position, { seq: 4, headNumber: 4 });
  t.same(reader.at(3).get(store, key), [3]);
  await reader.close();
  await writer.close();
});
