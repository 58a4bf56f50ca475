import t from 'tap';
import { ethereumBlock, ethereumReceipt, ethereumSignature } from '../../../../../src/api/jsonrpc/ethereum/forms.js';
import { TransactionInfo } from '../../../../../src/codec/generated/messages.js';

const ZERO = `0x${'00'.repeat(32)}`;
const ROOT = `0x${'ab'.repeat(32)}`;
/** Constants of go-ethereum: types.EmptyUncleHash, types.EmptyRootHash. */
const NO_UNCLES = '0x1dcc4de8dec75d7aab85b567b6ccd41ad312451b948a7413f0a142fd40d49347';
const EMPTY_ROOT = '0x56e81f171bcc55a6ff8345e692c0f86e5b48e01b996cadc001622fb5e363b421';
const figures = { price: 420n, energyUsed: 0n, energyMax: 100n, infos: [], transactionCount: 1 };
const block = { parentHash: ZERO, stateRoot: '0x', transactionsRoot: ROOT, receiptsRoot: ZERO };

t.test('shows the root of the empty trie for a block without transactions', async (t) => {
  t.match(ethereumBlock(block, figures), {
    sha3Uncles: NO_UNCLES,
    transactionsRoot: ROOT,
    receiptsRoot: ZERO,
    stateRoot: ZERO,
  });
  const empty = { ...block, transactionsRoot: ZERO };
  const none = { ...figures, transactionCount: 0 };
  t.match(ethereumBlock(empty, none), { transactionsRoot: EMPTY_ROOT, receiptsRoot: EMPTY_ROOT });
  t.match(ethereumBlock({ ...empty, transactionsRoot: '0x' }, none), { transactionsRoot: EMPTY_ROOT });
});

t.test('prints a signature without leading zeros and without a chain id', async (t) => {
  const signed = { r: `0x00${'cd'.repeat(31)}`, s: `0x0${'1'.repeat(63)}`, v: '0x1b' };
  t.same(ethereumSignature(signed), { r: `0x${'cd'.repeat(31)}`, s: `0x${'1'.repeat(63)}`, v: '0x1b' });
  for (const [v, shown] of [
    ['0x1c', '0x1c'],
    ['0x1d', '0x1b'],
    ['0x1e', '0x1c'],
    ['0x25', '0x1b'],
  ] as const)
    t.match(ethereumSignature({ ...signed, v }), { v: shown });
  t.same(ethereumSignature({ r: ZERO, s: ZERO, v: '0x00' }), { r: '0x0', s: '0x0', v: '0x0' });
});

t.test('prints the zero address for a sender that TRON does not name', async (t) => {
  const zeroAddress = `0x${'00'.repeat(20)}`;
  t.match(ethereumReceipt({ from: null }, new TransactionInfo()), {
    from: zeroAddress,
    logsBloom: `0x${'00'.repeat(256)}`,
  });
});
