import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import pino from 'pino';
import t from 'tap';
import { loadConfig } from '../../../src/config/load-config.js';
import { openChain } from '../../../src/node/open-chain.js';
import { servedLocally } from '../../../src/node/serving/served-node.js';
import { fromHex, toHex } from '../../../src/primitives/bytes.js';
import { decodeBlock } from '../../../src/state-transition/block/decoded-block.js';
import { ChainError } from '../../../src/state-transition/errors.js';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { golden } from '../../support/tronicle.js';

const folder = join(golden, 'forks', 'forks7');

// Reference: Manager.switchFork, Manager.reApplyBlockEvents of 4.8.2.
t.test('emits the blocks of a branch after a complete reorg, and not after a failed one', async (t) => {
  const { config } = loadConfig({ file: join(folder, 'config.conf') });
  const log = pino({ level: 'silent' });
  const chain = await openChain({ config, dataDir: temporaryFolder(t), log });
  t.teardown(() => chain.ledger.close());
  let [forks, failures] = [0, 0];
  const branches: (readonly string[])[] = [];
  const reapplied: string[] = [];
  chain.listeners.add({
    forked: (hasFailed) => {
      if (hasFailed) failures++;
      else forks++;
    },
    switched: (branch) => {
      t.equal(toHex(branch.at(-1)!.id), toHex(chain.ledger.position.headId), 'the last block is the head');
      t.ok(
        branch.every(({ number }, at) => number === branch[0]!.number + at),
        'the oldest block is first',
      );
      branches.push(branch.map(({ id }) => toHex(id)));
    },
  });
  const subscription = servedLocally({ chain, config, log, now: Date.now }).blockUpdates.subscribe(
    ({ change, content }) => {
      if (change === 'reapplied') reapplied.push(toHex(content.block.id));
    },
  );
  t.teardown(() => subscription.unsubscribe());
  const lines = gunzipSync(readFileSync(join(folder, 'pushes.ndjson.gz')))
    .toString()
    .trim()
    .split('\n');
  for (const line of lines.slice(0, 200)) {
    const { block } = JSON.parse(line) as { block?: string };
    if (block === undefined) continue;
    try {
      chain.importBlock(decodeBlock(fromHex(block)));
    } catch (error) {
      if (!(error instanceof ChainError)) throw error;
    }
  }
  t.ok(failures > 0, 'some reorgs failed');
  t.equal(branches.length, forks - failures);
  t.same(reapplied, branches.flat());
});
