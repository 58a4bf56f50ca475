import { cpSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { BlockLog } from '../../../../src/log/block-log.js';
import { LogMarker } from '../../../../src/log/log-marker.js';
import { Checkpoints } from '../../../../src/projections/checkpoints/checkpoints.js';
import type { LedgerParts } from '../../../../src/projections/ledger/ledger-types.js';
import { ReaderLedger } from '../../../../src/projections/ledger/reader-ledger.js';
import type { WriterLedger } from '../../../../src/projections/ledger/writer-ledger.js';
import { StateDatabase } from '../../../../src/projections/state/state-database.js';
import { CheckRecord } from '../../../../src/projections/verify/check-record.js';
import { genesis, open, silent, temporaryFolder } from '../../../support/projections/chain.js';
import { appendCounterBlock } from '../../../support/projections/counter-chain.js';

const counter = Buffer.from('counter');

/** Returns a reader of a data folder. @param folder name of the folder of the state */
function readerOf(dataDir: string, blocks: BlockLog, folder?: string): ReaderLedger {
  const state = new StateDatabase(dataDir, { readOnly: true, ...(folder === undefined ? {} : { folder }) });
  const [checkpoints, marker] = [new Checkpoints(dataDir, 1, silent), new LogMarker(dataDir)];
  const parts: LedgerParts = { blocks, state, checkpoints, marker, lock: undefined, checks: new CheckRecord(dataDir) };
  const options = { dataDir, genesis, retention: 'all', checkpointVersion: 1, log: silent, readOnly: true } as const;
  return new ReaderLedger(options, parts);
}

async function grow(ledger: WriterLedger): Promise<void> {
  appendCounterBlock(ledger);
  await ledger.flush();
}

t.test('allows writes while a reader opens the log and then the state', async (t) => {
  const dataDir = temporaryFolder(t);
  const writer = await open(dataDir);
  await grow(writer);
  const blocks = new BlockLog({ dataDir, readOnly: true });
  t.equal(blocks.index.heightRow(1)?.seq, 1, 'the log has been read');
  await grow(writer);
  await grow(writer);
  const reader = readerOf(dataDir, blocks);
  t.match(reader.position, { seq: 3, headNumber: 3 });
  t.equal(reader.block(3)?.number, 3);
  for (const height of [1, 2, 3]) t.equal(reader.at(height).get(20, counter)?.toString(), `${height}`);
  await grow(writer);
  reader.refresh();
  t.match(reader.position, { seq: 4, headNumber: 4 });
  t.equal(reader.at(3).get(20, counter)?.toString(), '3');
  await reader.close();
  await writer.close();
});

t.test('reports no solidified block above a state that is older than the log', async (t) => {
  const dataDir = temporaryFolder(t);
  const writer = await open(dataDir);
  await grow(writer);
  await grow(writer);
  const { headId } = writer.position;
  cpSync(join(dataDir, 'state'), join(dataDir, 'older'), { recursive: true });
  while (writer.position.solidifiedNumber <= 2) await grow(writer);
  const reader = readerOf(dataDir, new BlockLog({ dataDir, readOnly: true }), 'older');
  t.match(reader.position, { headNumber: 2, solidifiedNumber: 2 });
  t.same(reader.position.solidifiedId, headId);
  t.equal(reader.solidified().get(20, counter)?.toString(), '2');
  await reader.close();
  await writer.close();
});
