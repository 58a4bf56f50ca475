import { join } from 'node:path';
import t, { type Test } from 'tap';
import type { Chain } from '../../../src/chain/chain.js';
import { TronError } from '../../../src/primitives/errors.js';
import { openRecorded } from '../../conformance/replay-session.js';
import { blocksOf } from '../../support/node/recorded-blocks.js';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { golden } from '../../support/tronicle.js';

const folder = join(golden, 'stake');
const blocks = blocksOf(folder).slice(0, 8);

async function open(t: Test, release: string): Promise<Chain> {
  const chain = await openRecorded(folder, temporaryFolder(t), release);
  t.teardown(() => chain.ledger.close());
  return chain;
}

/** Lets the next block fail as on a full disk, after its execution. */
function failNextAppend({ ledger }: Chain): void {
  const { append } = ledger;
  ledger.append = () => {
    ledger.append = append;
    throw new TronError('STORAGE_FULL', 'the disk is full');
  };
}

// With release 4.8.2, the first block also contains the migration of a first start.
for (const release of ['4.7.2', '4.8.2'])
  t.test(`imports a block after it could not be stored, release ${release}`, async (t) => {
    const [chain, other] = [await open(t, release), await open(t, release)];
    for (const [index, block] of blocks.entries()) {
      if (index % 3 === 0) {
        failNextAppend(chain);
        t.throws(() => chain.importBlock(block), { code: 'STORAGE_FULL' });
        t.equal(chain.ledger.position.headNumber, block.number - 1);
        t.equal(chain.state.properties.number('latest_block_header_number'), block.number - 1, 'state of the head');
      }
      for (const one of [chain, other]) one.importBlock(block);
      t.same(chain.ledger.position.digest, other.ledger.position.digest, `digest of block ${block.number}`);
      t.equal(chain.snapshots.size, other.snapshots.size);
    }
  });
