import t from 'tap';
import { seqKey } from '../../../src/log/block-key.js';
import { BlockLog } from '../../../src/log/block-log.js';
import {
  decodeOlderPosition,
  decodePosition,
  olderPositionRow,
  POSITIONS_FROM,
  positionKey,
  positionRow,
} from '../../../src/log/transaction-position.js';
import { encodeChangeSet } from '../../../src/projections/state/change-set.js';
import { LogReading } from '../../../src/projections/verify/log-reading.js';
import { blockId } from '../../support/projections/chain.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

const NO_CHANGES = encodeChangeSet([], new Uint8Array(0));
const FIRST = 1;
const PER_BLOCK = 3;
const transactionId = (number: number, index: number): Buffer => Buffer.from(blockId(number, `place ${index}`));
const idsOf = (number: number): Buffer[] =>
  Array.from({ length: PER_BLOCK }, (_, index) => transactionId(number, index));

function appendBlock(log: BlockLog, number: number): void {
  const [id, parentId] = [blockId(number, 'place'), blockId(Math.max(number - 1, 0), 'place')];
  const of = { number, id, parentId, digest: id, transactionIds: idsOf(number) };
  log.append({ kind: 'applied', ...of, block: id, results: new Uint8Array(0) }, NO_CHANGES);
}

function logOf(dataDir: string, blocks: number): BlockLog {
  const log = new BlockLog({ dataDir, readOnly: false });
  for (let number = 0; number <= blocks; number++) appendBlock(log, number);
  log.commit();
  return log;
}

/**
 * Writes transaction positions in the format of an older release, which stored them only in the table `transactions`.
 */
function makeOlder(log: BlockLog, blocks: number): void {
  const { environment } = log;
  environment.commit(() => {
    const [places, older] = [environment.table('places'), environment.table('transactions')];
    places.clearSync();
    for (let number = 0; number <= blocks; number++)
      for (const [index, id] of idsOf(number).entries())
        older.putSync(id, olderPositionRow({ seq: number, index }, number));
    environment.table('meta').removeSync(Buffer.from(POSITIONS_FROM));
  });
}

/** Checks that the lookup tables match the entries of the log. @throws {LmdbFileError} they do not match */
function check(log: BlockLog): void {
  const reading = new LogReading(-1);
  for (const name of ['meta', 'entries', 'changes', 'heights', 'ids', 'places', 'transactions'])
    for (const { key, value } of log.environment.table(name).getRange({}))
      reading.row(name, Buffer.from(key), Buffer.from(value));
  reading.finish();
}

t.test('reads each position as it was written, up to the numeric bounds', async (t) => {
  for (const position of [
    { seq: 0, index: 0 },
    { seq: 2 ** 40 - 1, index: 2 ** 24 - 1 },
    { seq: 123_456_789, index: 65_536 },
  ])
    t.same(decodePosition(positionRow(position)), position);
  t.same(decodeOlderPosition(olderPositionRow({ seq: 2 ** 40, index: 7 }, 9)), { seq: 2 ** 40, index: 7 });
});

t.test('finds pending and committed transactions by their full ids', async (t) => {
  const log = logOf(temporaryFolder(t), 5);
  appendBlock(log, 6);
  for (const number of [FIRST, 5, 6]) {
    for (const [index, id] of idsOf(number).entries()) {
      t.same(log.index.transaction(id), { seq: number, number, index });
      t.ok(log.index.hasTransaction(id));
    }
  }
  const forged = transactionId(3, 1);
  forged[31] = 0xff ^ (forged[31] ?? 0);
  t.equal(log.index.transaction(forged), undefined, 'an id with another last byte is not found');
  t.equal(log.index.transaction(positionKey(transactionId(3, 1))), undefined, 'the stored key of 20 bytes is no id');
  t.notOk(log.index.hasTransaction(positionKey(transactionId(3, 1))));
  t.same(log.index.block(3)?.transactionIds.map(Buffer.from), idsOf(3));
  check(log);
  await log.close();
});

t.test('reads, extends and rolls back a log of an older version', async (t) => {
  const dataDir = temporaryFolder(t);
  const before = logOf(dataDir, 5);
  makeOlder(before, 5);
  await before.close();
  const log = new BlockLog({ dataDir, readOnly: false });
  for (let number = 6; number <= 8; number++) appendBlock(log, number);
  log.commit();
  for (const number of [FIRST, 5, 6, 8])
    t.same(
      log.index.transaction(transactionId(number, 2)),
      { seq: number, number, index: 2 },
      `transaction of block ${number}`,
    );
  t.same(log.facts.get(POSITIONS_FROM), seqKey(6));
  check(log);
  for (let number = 8; number >= 5; number--) log.append({ kind: 'reverted', number, id: blockId(number, 'place') });
  log.commit();
  for (const number of [5, 6, 8]) t.equal(log.index.transaction(transactionId(number, 2)), undefined);
  t.ok(log.index.hasTransaction(transactionId(4, 0)));
  check(log);
  log.start.moveTo(2);
  log.commit();
  t.notOk(log.index.hasTransaction(transactionId(2, 0)));
  t.ok(log.index.hasTransaction(transactionId(3, 0)));
  await log.close();
});
