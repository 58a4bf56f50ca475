import t from 'tap';
import { utf8 } from '../../../../../src/primitives/bytes.js';
import { exchangeInject } from '../../../../../src/state-transition/system-contracts/exchange/exchange-inject.js';
import {
  chainWithPool,
  OTHER,
  POOL_LIMIT,
  POOL_OWNER,
  poolBalances,
  TOKEN,
} from '../../../../support/vm/exchange-chain.js';
import { refusalsOf } from '../../../../support/vm/refusals.js';
import { addAccount, addressOf, bytesOf, run } from '../../../../support/vm/state-with.js';

const accepted = { ownerAddress: bytesOf(POOL_OWNER), exchangeId: 1n, tokenId: utf8('_'), quant: 100n };

t.test('rejects an injection with the text of the first broken rule', async (t) => {
  refusalsOf(t, exchangeInject, {
    fresh: () => chainWithPool(),
    accepted,
    rows: [
      { text: 'Invalid address', fields: { ownerAddress: new Uint8Array(20) } },
      { text: `account[${addressOf(9)}] not exists`, fields: { ownerAddress: bytesOf(9) } },
      { text: 'Exchange[2] not exists', fields: { exchangeId: 2n } },
      { text: `account[${addressOf(OTHER)}] is not creator`, fields: { ownerAddress: bytesOf(OTHER) } },
      { text: 'token id is not a valid number', fields: { tokenId: utf8('x') } },
      { text: 'token id is not in exchange', fields: { tokenId: utf8('1000002') } },
      { text: 'injected token quant must greater than zero', fields: { quant: 0n } },
      { text: 'balance is not enough', fields: { quant: 1_000_001n } },
      { text: 'another token balance is not enough', fields: { quant: 500_001n } },
      { text: 'token balance is not enough', fields: { tokenId: utf8(TOKEN), quant: 1_000_001n } },
      {
        text: `token balance must less than ${POOL_LIMIT}`,
        fields: { quant: POOL_LIMIT },
      },
    ],
  });
  refusalsOf(t, exchangeInject, {
    fresh: () => chainWithPool({ firstTokenBalance: 20_000n, secondTokenBalance: 10_000n }),
    accepted,
    rows: [{ text: 'the calculated token quant  must be greater than 0', fields: { quant: 1n } }],
  });
  t.throws(
    () => run(exchangeInject, chainWithPool({ secondTokenBalance: 0n }), accepted),
    /the exchange has been closed/,
  );
});

t.test('adds to both balances by their ratio and charges the owner for both', async (t) => {
  const state = chainWithPool();
  t.equal(run(exchangeInject, state, accepted).exchangeInjectAnotherAmount, 200n);
  t.same(poolBalances(state), [10_100n, 20_200n]);
  const owner = state.account(addressOf(POOL_OWNER));
  t.same([owner?.balance, owner?.assetV2.get(TOKEN)], [999_900n, 999_800n]);
  t.equal(run(exchangeInject, state, { ...accepted, tokenId: utf8(TOKEN), quant: 3n }).exchangeInjectAnotherAmount, 1n);
});

t.test('passes validation and fails in execution for a product above 64 bits', async (t) => {
  const state = chainWithPool({ firstTokenBalance: 10n ** 14n, secondTokenBalance: 10n ** 14n });
  addAccount(state, POOL_OWNER, 10n ** 15n, { [TOKEN]: 10n ** 15n });
  t.throws(() => run(exchangeInject, state, { ...accepted, quant: 10n ** 14n }), /long overflow/);
});
