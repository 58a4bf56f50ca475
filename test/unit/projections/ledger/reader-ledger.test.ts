import t from 'tap';
import { BlockLog } from '../../../../src/log/block-log.js';
import { LogMarker } from '../../../../src/log/log-marker.js';
import { Checkpoints } from '../../../../src/projections/checkpoints/checkpoint.js';
import type { LedgerParts } from '../../../../src/projections/ledger/ledger-types.js';
import { ReaderLedger } from '../../../../src/projections/ledger/reader-ledger.js';
import type { WriterLedger } from '../../../../src/projections/ledger/writer-ledger.js';
import { StateDatabase } from '../../../../src/projections/state/state-database.js';
import { CheckRecord } from '../../../../src/projections/verify/check-record.js';
import { genesis, open, silent, temporaryFolder } from '../../../support/projections/chain.js';
import { appendCounterBlock } from '../../../support/projections/counter-chain.js';

const counter = Buffer.from('counter');

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
  const state = new StateDatabase(dataDir, { readOnly: true });
  t.equal(state.cursor()?.number, 3);
  const [checkpoints, marker] = [new Checkpoints(dataDir, 1, silent), new LogMarker(dataDir)];
  const parts: LedgerParts = { blocks, state, checkpoints, marker, lock: undefined, checks: new CheckRecord(dataDir) };
  const options = { dataDir, genesis, retention: 'all', checkpointVersion: 1, log: silent, readOnly: true } as const;
  const reader = new ReaderLedger(options, parts);
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
