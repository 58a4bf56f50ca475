import t from 'tap';
import { utf8 } from '../../../../../src/primitives/bytes.js';
import { exchangeTransaction } from '../../../../../src/state-transition/system-contracts/exchange/exchange-transaction.js';
import { chainWithPool, OTHER, POOL_LIMIT, poolBalances, TOKEN } from '../../../../support/vm/exchange-chain.js';
import { refusalsOf } from '../../../../support/vm/refusals.js';
import { addAccount, addressOf, bytesOf, run } from '../../../../support/vm/state-with.js';

const accepted = { ownerAddress: bytesOf(OTHER), exchangeId: 1n, tokenId: utf8('_'), quant: 100n, expected: 1n };

t.test('rejects a trade with the text of the first broken rule', async (t) => {
  refusalsOf(t, exchangeTransaction, {
    fresh: () => chainWithPool(),
    accepted,
    rows: [
      { text: 'Invalid address', fields: { ownerAddress: new Uint8Array(20) } },
      { text: `account[${addressOf(9)}] not exists`, fields: { ownerAddress: bytesOf(9) } },
      { text: 'Exchange[7] not exists', fields: { exchangeId: 7n } },
      { text: 'token id is not a valid number', fields: { tokenId: utf8('x') } },
      { text: 'token is not in exchange', fields: { tokenId: utf8('1000002') } },
      { text: 'token quant must greater than zero', fields: { quant: 0n } },
      { text: 'token expected must greater than zero', fields: { expected: 0n } },
      { text: `token balance must less than ${POOL_LIMIT}`, fields: { quant: POOL_LIMIT } },
      { text: 'balance is not enough', fields: { quant: 1_000_001n } },
      { text: 'token balance is not enough', fields: { tokenId: utf8(TOKEN), quant: 1_000_001n } },
      { text: 'token required must greater than expected', fields: { expected: 199n } },
    ],
  });
  t.throws(() => run(exchangeTransaction, chainWithPool({ firstTokenBalance: 0n }), accepted), /has been closed/);
});

t.test('adds the sold token to the pool and pays the other', async (t) => {
  const state = chainWithPool();
  const received = run(exchangeTransaction, state, accepted).exchangeReceivedAmount;
  t.equal(received, 198n, '20,000 × 100 / 10,100, rounded down');
  t.same(poolBalances(state), [10_100n, 20_000n - received]);
  const trader = state.account(addressOf(OTHER));
  t.same([trader?.balance, trader?.assetV2.get(TOKEN)], [999_900n, 1_000_000n + received]);
});

t.test('rejects a hardened trade with a pool that would become negative', async (t) => {
  const state = chainWithPool({ firstTokenBalance: 1n, secondTokenBalance: 1_000_000_000_000_000n });
  state.properties.set('ALLOW_HARDEN_EXCHANGE_CALCULATION', 1n);
  addAccount(state, OTHER, POOL_LIMIT, { [TOKEN]: 0n });
  t.doesNotThrow(() => run(exchangeTransaction, state, { ...accepted, quant: 5n }));
  t.ok(poolBalances(state).every((balance) => balance !== undefined && balance >= 0n));
});
