import t from 'tap';
import { present } from '../../../../src/primitives/assert.js';
import { decodeBlock } from '../../../../src/state-transition/block/decoded-block.js';
import { serveRpc } from '../../../support/jsonrpc/served-rpc.js';

t.test('shows the block of a stored transaction that an outdated list still contains as pending', async (t) => {
  const { chain, get } = await serveRpc(t, 'stake');
  const { headNumber } = chain.ledger.position;
  const numbers = Array.from({ length: headNumber }, (_, at) => headNumber - at);
  const number = numbers.find((height) => chain.ledger.block(height)?.transactionIds.length);
  const entry = present(
    number === undefined ? undefined : chain.ledger.block(number),
    'the recording has transactions',
  );
  const { transactions } = decodeBlock(entry.block);
  // An API thread may receive its list of pending transactions before the newest block on disk was applied.
  chain.mempool.pending.values = () => [{ transaction: transactions[0] }] as never;
  const id = `0x${transactions[0]?.idHex}`;
  const found = await get<{ blockNumber: string | null }>('eth_getTransactionByHash', [id]);
  t.equal(found.blockNumber, `0x${entry.number.toString(16)}`);
});
