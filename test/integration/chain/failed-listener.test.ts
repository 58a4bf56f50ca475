import { join } from 'node:path';
import t from 'tap';
import { openRecorded } from '../../conformance/replay-session.js';
import { blocksOf } from '../../support/node/recorded-blocks.js';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { golden } from '../../support/tronicle.js';

const folder = join(golden, 'stake');

t.test('continues after a listener has failed for a stored block', async (t) => {
  const chain = await openRecorded(folder, temporaryFolder(t), '4.8.2');
  t.teardown(() => chain.ledger.close());
  let fails = false;
  chain.listeners.add({
    applied: () => {
      if (fails) throw new Error('the listener failed');
    },
  });
  for (const block of blocksOf(folder).slice(0, 8)) {
    fails = block.number % 3 === 2;
    if (fails) t.throws(() => chain.importBlock(block), { message: 'the listener failed' });
    else chain.importBlock(block);
    t.equal(chain.ledger.position.headNumber, block.number);
    t.equal(chain.recent.head.idHex, block.idHex);
  }
});

t.test('continues at the same head after a listener has failed for a reverted block', async (t) => {
  const chain = await openRecorded(folder, temporaryFolder(t), '4.8.2');
  t.teardown(() => chain.ledger.close());
  const blocks = blocksOf(folder).slice(0, 8);
  for (const block of blocks) chain.importBlock(block);
  const failing = {
    reverted: () => {
      throw new Error('the listener failed');
    },
  };
  for (const revert of [() => chain.revertHead(), () => chain.rollback(3)]) {
    const { headNumber } = chain.ledger.position;
    chain.listeners.add(failing);
    t.throws(revert, { message: 'the listener failed' });
    chain.listeners.delete(failing);
    t.equal(chain.ledger.position.headNumber, headNumber - 1);
    t.equal(chain.recent.head.number, headNumber - 1);
  }
  for (const block of blocks.slice(chain.ledger.position.headNumber)) chain.importBlock(block);
  t.equal(chain.ledger.position.headNumber, 8);
});
