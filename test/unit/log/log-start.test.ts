import t from 'tap';
import { BlockLog } from '../../../src/log/block-log.js';
import { blockId } from '../../support/projections/chain.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

const BASE = 100;
const id = (number: number): Uint8Array => blockId(number, 'cut');

/**
 * Returns a log whose first entry is the block `BASE` of a bootstrap. The bootstrap imported ten blocks up to this
 * block. Ten blocks follow.
 */
function logWithBase(dataDir: string): BlockLog {
  const blocks = new BlockLog({ dataDir, readOnly: false });
  blocks.environment.commit(() => {
    blocks.imported.putId(0, id(0));
    blocks.imported.putTapos(1, id(1).subarray(8, 16));
    for (let number = BASE - 9; number <= BASE; number++) {
      blocks.imported.putId(number, id(number));
      blocks.imported.putTransaction(blockId(number, 'transaction'), number, 0);
      const transactionIds = [blockId(number, 'transaction')];
      blocks.imported.putBlock({
        number,
        id: id(number),
        transactionIds,
        block: id(number),
        results: new Uint8Array(0),
      });
    }
  });
  blocks.append({ kind: 'base', number: BASE, id: id(BASE), digest: id(1), genesisId: id(0), source: 'a test' });
  for (let number = BASE + 1; number <= BASE + 10; number++) {
    const transactionIds = [blockId(number, 'transaction')];
    const of = { number, id: id(number), parentId: id(number - 1), digest: id(2), transactionIds };
    blocks.append({ kind: 'applied', ...of, block: id(number), results: new Uint8Array(0) }, Buffer.from([number]));
  }
  blocks.commit();
  return blocks;
}

t.test('deletes the base blocks when the blocks above are pruned', async (t) => {
  const blocks = logWithBase(temporaryFolder(t));
  t.equal(blocks.start.number, BASE);
  t.ok(blocks.index.block(BASE - 5));
  blocks.start.moveTo(BASE + 4);
  blocks.commit();
  t.equal(blocks.start.number, BASE + 4);
  for (const number of [BASE - 5, BASE, BASE + 4]) {
    t.equal(blocks.index.block(number), undefined, `block ${number}`);
    t.equal(blocks.index.transaction(blockId(number, 'transaction')), undefined, `transaction of ${number}`);
    t.equal(blocks.index.seqOfId(id(number)), number === BASE ? 0 : undefined, `id of ${number}`);
  }
  t.same(blocks.index.heightRow(0)?.id, id(0), 'the genesis block is still stored');
  t.equal(blocks.index.block(BASE + 5)?.number, BASE + 5);
  t.same(
    blocks.page(0, 10_000).map(({ seq }) => seq),
    [0, 5, 6, 7, 8, 9, 10],
  );
  t.equal(blocks.changes(5)?.[0], BASE + 5);
  t.throws(() => blocks.entry(4), { code: 'LOG_CUT' });
  t.throws(() => blocks.start.moveTo(BASE + 4), RangeError);
  await blocks.close();
});
