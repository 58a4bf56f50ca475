import t from 'tap';
import { utf8 } from '../../../../../src/primitives/bytes.js';
import {
  exchangeWithdraw,
  withdrawRemainder,
} from '../../../../../src/state-transition/system-contracts/exchange/exchange-withdraw.js';
import { chainWithPool, OTHER, POOL_OWNER, poolBalances, TOKEN } from '../../../../support/vm/exchange-chain.js';
import { refusalsOf } from '../../../../support/vm/refusals.js';
import { addressOf, bytesOf, run } from '../../../../support/vm/state-with.js';

const accepted = { ownerAddress: bytesOf(POOL_OWNER), exchangeId: 1n, tokenId: utf8('_'), quant: 100n };

t.test('rounds the remainder of a withdrawal half up at four decimals', async (t) => {
  t.equal(withdrawRemainder(10n, 3n, 3n), 3.3333 - 3);
  t.equal(withdrawRemainder(3_000_000_000_000n, 7n, 428_571_428_571n), 428571428571.4286 - 428571428571);
  t.equal(withdrawRemainder(1n, 20_000n, 0n), 0.0001);
});

t.test('rejects a withdrawal with the text of the first broken rule', async (t) => {
  refusalsOf(t, exchangeWithdraw, {
    fresh: () => chainWithPool(),
    accepted,
    rows: [
      { text: 'Invalid address', fields: { ownerAddress: new Uint8Array(20) } },
      { text: 'Exchange[0] not exists', fields: { exchangeId: 0n } },
      { text: `account[${addressOf(OTHER)}] is not creator`, fields: { ownerAddress: bytesOf(OTHER) } },
      { text: 'token id is not a valid number', fields: { tokenId: utf8('x') } },
      { text: 'token is not in exchange', fields: { tokenId: utf8('1000002') } },
      { text: 'withdraw token quant must greater than zero', fields: { quant: 0n } },
      { text: 'exchange balance is not enough', fields: { quant: 10_001n } },
      { text: undefined, fields: { quant: 10_000n } },
      { text: 'withdraw another token quant must greater than zero', fields: { tokenId: utf8(TOKEN), quant: 1n } },
      { text: 'Not precise enough', fields: { tokenId: utf8(TOKEN), quant: 3n } },
    ],
  });
});

// A rounding loss of 1 in 10,000 is tolerated. A larger loss is rejected. Reference: ExchangeWithdrawActuator,
// `remainder / anotherTokenQuant > 0.0001`.
t.test('tolerates a rounding loss of one ten-thousandth of the opposite amount, by both formulas', async (t) => {
  for (const hardened of [0n, 1n]) {
    const text = (quant: bigint) => {
      const state = chainWithPool();
      state.properties.set('ALLOW_HARDEN_EXCHANGE_CALCULATION', hardened);
      try {
        run(exchangeWithdraw, state, { ...accepted, tokenId: utf8(TOKEN), quant });
      } catch (error) {
        return error instanceof Error ? error.message : String(error);
      }
      return undefined;
    };
    t.equal(text(9_999n), 'Not precise enough', 'a rounding loss of half a unit of 4,999');
    t.equal(text(10_001n), undefined, 'a rounding loss of half a unit of 5,000');
  }
});

t.test('reduces both sides by their ratio and pays both to the owner', async (t) => {
  const state = chainWithPool();
  t.equal(run(exchangeWithdraw, state, accepted).exchangeWithdrawAnotherAmount, 200n);
  t.same(poolBalances(state), [9_900n, 19_800n]);
  const owner = state.account(addressOf(POOL_OWNER));
  t.same([owner?.balance, owner?.assetV2.get(TOKEN)], [1_000_100n, 1_000_200n]);
});
