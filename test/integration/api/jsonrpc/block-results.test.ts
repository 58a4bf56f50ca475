import t from 'tap';
import type { ChainView } from '../../../../src/api/context/api-context.js';
import { type BlockWithReceipts, contentOf } from '../../../../src/api/jsonrpc/block-content.js';
import { blockReceipts, transactionReceipt } from '../../../../src/api/jsonrpc/block-results.js';
import type { PrintContext } from '../../../../src/api/jsonrpc/transaction-text.js';
import { apiRelease } from '../../../../src/api/releases/releases.js';
import { TransactionRet } from '../../../../src/codec/generated/messages.js';
import { present } from '../../../../src/primitives/assert.js';
import { serveRpc } from '../../../support/jsonrpc/served-rpc.js';

// Recorded from java-tron 4.7.2. Its blocks have many contract calls.
const RECORDING = 'tvm-forks-14-shanghai';

async function contentWithLogs(t: Parameters<typeof serveRpc>[0]): Promise<{
  readonly content: BlockWithReceipts;
  readonly context: PrintContext;
}> {
  const { chain } = await serveRpc(t, RECORDING, { until: 60 });
  const view = { state: chain.state, block: (number: number) => chain.ledger.block(number) } as unknown as ChainView;
  for (let number = 60; number > 0; number--) {
    const content = contentOf(view, number);
    if (content.infos.length > 1)
      return { content, context: { view, addressPrefix: 0x41, release: apiRelease('4.8.2') } };
  }
  throw new Error('no block with two transactions');
}

t.test(
  'returns block receipts equal to those of single transactions, with one read of the price history',
  async (t) => {
    const { content, context } = await contentWithLogs(t);
    const single = content.infos.map((_, index) => transactionReceipt(content, index, context));
    t.same(blockReceipts(content, context), single);
    let reads = 0;
    const { state } = context.view;
    const properties = new Proxy(state.properties, {
      get: (target, name) => {
        if (name === 'bytes') reads++;
        const found: unknown = Reflect.get(target, name);
        return typeof found === 'function' ? found.bind(target) : found;
      },
    });
    const counting = { ...context, view: { state: { properties } } as unknown as PrintContext['view'] };
    blockReceipts(content, counting);
    t.equal(reads, 1, 'the price history is read once');
  },
);

t.test('reports a block that is stored with fewer receipts than transactions', async (t) => {
  const { content, context } = await contentWithLogs(t);
  const { block, results } = present(context.view.block(content.block.number), 'the block is stored');
  const first = Object.assign(TransactionRet.decode(results), { transactioninfo: content.infos.slice(0, 1) });
  const without = contentOf({ block: () => ({ block, results: TransactionRet.encode(first) }) }, content.block.number);
  t.equal(transactionReceipt(without, 1, context), null);
  t.throws(() => blockReceipts(without, context), {
    message: `TransactionList size mismatch: block has ${content.infos.length} transactions, but transactionInfoList has 1`,
  });
});
