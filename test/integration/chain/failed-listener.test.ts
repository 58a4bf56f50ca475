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
