import t from 'tap';
import {
  blockMembersIn,
  type PrintContext,
  pendingBlockMembers,
  transactionText,
} from '../../../../src/api/jsonrpc/transaction-text.js';
import { apiRelease } from '../../../../src/api/releases/releases.js';
import type { ShownTransaction } from '../../../../src/state-transition/transaction.js';

const PREFIX = 0x41;
const address = (byte: number): Uint8Array => Uint8Array.of(PREFIX, ...new Uint8Array(20).fill(byte));
const state = { properties: { get: () => 7n } };
const context = {
  view: { state },
  addressPrefix: PREFIX,
  release: apiRelease('4.7.2'),
} as unknown as PrintContext;
const ethereum: PrintContext = { ...context, ethereum: { energyMax: 100n } };
const block = { id: new Uint8Array(32).fill(0xab), number: 18 };
const signature = Uint8Array.of(...new Uint8Array(32).fill(1), ...new Uint8Array(32).fill(2), 28);
const transfer: ShownTransaction = {
  id: new Uint8Array(32).fill(9),
  contractType: 1,
  parameter: { ownerAddress: address(3), toAddress: address(4), amount: 255n },
  signature,
};
const blockMembers = blockMembersIn(block, 420n)(10, 31n, () => undefined);
const print = (transaction: ShownTransaction, at = blockMembers, form = context): unknown =>
  JSON.parse(transactionText(transaction, at, form));

t.test('prints the members of a transaction in the order of java-tron', async (t) => {
  t.equal(
    transactionText(transfer, blockMembers, context),
    JSON.stringify({
      blockHash: `0x${'ab'.repeat(32)}`,
      blockNumber: '0x12',
      from: `0x${'03'.repeat(20)}`,
      gas: '0x1f',
      gasPrice: '0x1a4',
      hash: `0x${'09'.repeat(32)}`,
      input: '0x',
      nonce: '0x0000000000000000',
      r: `0x${'01'.repeat(32)}`,
      s: `0x${'02'.repeat(32)}`,
      to: `0x${'04'.repeat(20)}`,
      transactionIndex: '0xa',
      type: '0x0',
      v: '0x1c',
      value: '0xff',
    }),
  );
});

t.test('prints the data of a contract call', async (t) => {
  const parameter = {
    ownerAddress: address(3),
    contractAddress: address(5),
    callValue: 0n,
    data: Uint8Array.of(1, 254),
  };
  t.match(print({ ...transfer, contractType: 31, parameter }), { input: '0x01fe', to: `0x${'05'.repeat(20)}` });
});

t.test('prints null for parties that a transaction does not name', async (t) => {
  const unnamed = { ...transfer, contractType: 77, parameter: {} };
  t.match(print(unnamed), { from: null, to: null, value: '0x0' });
  t.match(print(unnamed, blockMembers, ethereum), { from: `0x${'00'.repeat(20)}`, to: null });
});

t.test('prints zeros for a transaction without a signature', async (t) => {
  const unsigned = { ...transfer, signature: undefined };
  t.match(print(unsigned), { r: `0x${'00'.repeat(32)}`, s: `0x${'00'.repeat(32)}`, v: '0x00' });
  t.match(print(unsigned, blockMembers, ethereum), { r: '0x0', s: '0x0', v: '0x0' });
});

t.test('prints the zero address as the sender of a transaction in block 0', async (t) => {
  const genesis = blockMembersIn({ ...block, number: 0 }, 420n)(0, 0n, () => undefined);
  t.match(print(transfer, genesis), { from: `0x${'00'.repeat(20)}`, blockNumber: '0x0' });
});

t.test('prints a pending transaction without block and index', async (t) => {
  t.match(print(transfer, pendingBlockMembers(context)), {
    blockHash: '0x',
    blockNumber: '0x',
    gas: '0x0',
    gasPrice: '0x',
    transactionIndex: '0x',
  });
  t.match(print(transfer, pendingBlockMembers(ethereum), ethereum), {
    blockHash: null,
    blockNumber: null,
    transactionIndex: null,
    gasPrice: '0x7',
    nonce: '0x0',
  });
});
