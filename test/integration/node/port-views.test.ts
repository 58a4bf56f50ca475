import { join } from 'node:path';
import t from 'tap';
import { blockByNumber, blocksFrom } from '../../../src/api/operations/blocks.js';
import { witnesses } from '../../../src/api/operations/governance.js';
import { Transaction } from '../../../src/codec/generated/messages.js';
import { NO_FLAGS } from '../../../src/config/flags.js';
import { loadConfig } from '../../../src/config/load-config.js';
import { openChain } from '../../../src/node/open-chain.js';
import { servedLocally } from '../../../src/node/serving/served-node.js';
import { ChainError } from '../../../src/state-transition/errors.js';
import { decodeTransaction } from '../../../src/state-transition/transactions/decode-transaction.js';
import { readLines } from '../../conformance/recording.js';
import { blocksOf } from '../../support/node/recorded-blocks.js';
import { silent } from '../../support/projections/chain.js';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { golden } from '../../support/tronicle.js';

const folder = join(golden, 'off');

/**
 * Heights that java-tron 4.7.2 returned on this chain. `voted` is the height confirmed by PBFT. `tried` is true if two
 * transactions were rejected after the block. With POST, the PBFT port always returned the head.
 */
const SHOWN = [
  { head: 224, voted: 222, tried: true, solidified: 203, pbft: 223 },
  { head: 225, voted: 222, tried: false, solidified: 203, pbft: 222 },
  { head: 226, voted: 226, tried: false, solidified: 204, pbft: 226 },
  { head: 227, voted: 226, tried: false, solidified: 204, pbft: 226 },
  { head: 228, voted: 226, tried: false, solidified: 204, pbft: 226 },
  { head: 229, voted: 226, tried: false, solidified: 204, pbft: 226 },
  { head: 230, voted: 227, tried: true, solidified: 206, pbft: 228 },
  { head: 231, voted: 227, tried: false, solidified: 206, pbft: 227 },
  { head: 232, voted: 227, tried: true, solidified: 220, pbft: 228 },
];

t.test('serves the flushed state of java-tron and the PBFT-confirmed state on their ports', async (t) => {
  const { config } = loadConfig({ file: join(folder, 'config.conf'), flags: NO_FLAGS });
  const chain = await openChain({ config, dataDir: temporaryFolder(t), log: silent });
  t.teardown(() => chain.ledger.close());
  let voted = 0;
  const { api } = servedLocally({ chain, config, log: silent, now: Date.now, votedHeight: () => voted });
  const refused: Transaction[] = [];
  for await (const { phase, body } of readLines<{ phase: string; body: string }>(join(folder, 'http.ndjson.gz')))
    if (phase === 'settle')
      refused.push(Transaction.decode(Buffer.from((JSON.parse(body) as { transaction: string }).transaction, 'hex')));
  const tryAll = (): void => {
    for (const transaction of refused) t.throws(() => chain.mempool.add(decodeTransaction(transaction)), ChainError);
  };
  for (const block of blocksOf(folder)) {
    chain.importBlock(block);
    const shown = SHOWN.find(({ head }) => head === block.number);
    if (shown === undefined && block.number < 223) chain.mempool.clear();
    if (block.number === 223) tryAll();
    if (shown === undefined) continue;
    if (shown.tried) tryAll();
    voted = shown.voted;
    const [solidified, pbft] = [api.view('solidified'), api.view('pbft')];
    t.equal(solidified.headNumber, shown.solidified, `solidified at ${shown.head}`);
    t.equal(solidified.state.properties.number('latest_block_header_number'), shown.solidified);
    t.equal(pbft.headNumber, shown.pbft, `pbft at ${shown.head}`);
    t.equal(pbft.state.properties.number('latest_block_header_number'), shown.pbft);
    t.equal(api.view('pbft-again').headNumber, shown.head, `the second request at ${shown.head}`);
    t.equal(api.view('irreversible').headNumber, chain.solidifiedNumber);
    const above = BigInt(shown.pbft + 1);
    t.equal(blockByNumber(pbft, above), undefined, 'a block above the view is not found');
    t.equal([...blocksFrom(pbft, above, 100n)].length, shown.head - shown.pbft, 'a list contains this block');
    t.same(witnesses(pbft), witnesses(api.view('head')), 'lists contain the rows of the head');
    if (shown.head === 232) break;
  }
});
