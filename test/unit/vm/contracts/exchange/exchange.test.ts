import t from 'tap';
import { Exchange, type ExchangeInjectContract } from '../../../../../src/codec/generated/messages.js';
import { utf8 } from '../../../../../src/domain/bytes.js';
import type { ContractHandler } from '../../../../../src/vm/contracts/contract-handler.js';
import { exchangeCreate } from '../../../../../src/vm/contracts/exchange/exchange-create.js';
import { exchangedAmount, exchangeKey } from '../../../../../src/vm/contracts/exchange/exchange-pool.js';
import { withdrawRemainder } from '../../../../../src/vm/contracts/exchange/exchange-withdraw.js';
import { contractHandlers } from '../../../../../src/vm/contracts/handlers.js';
import { addAccount, addressOf, bytesOf, refusal, run, stateWith } from '../../../../support/vm/state-with.js';

const OWNER = 1;
const inject = contractHandlers.get(42) as ContractHandler<ExchangeInjectContract>;

// The first four rows are trades of a recorded chain of release 4.7.2, the others come from its formula in Java.
const trades: readonly (readonly [sell: bigint, buy: bigint, quant: bigint, received: bigint])[] = [
  [1007332099n, 3006662480n, 965568n, 2879246n],
  [1013736856n, 2998856252n, 937039n, 2769407n],
  [3002749407n, 1000710723n, 128386n, 42784n],
  [3000805284n, 1000455226n, 5915n, 1972n],
  [1000000000000n, 999999999999999n, 123456789n, 123441549101n],
  [1n, 1n, 1n, 0n],
  [7n, 1000000000000000n, 999999999999993n, 1000000000000098n],
  [999999999999999n, 3n, 500000000000000n, 0n],
  [1000n, 1000n, 9223372036854775807n, 0n],
  [123456789012345n, 987654321098n, 1n, 0n],
  [50000000000n, 80000000n, 49999999999n, 39999999n],
];

t.test('a pool pays what the reference computes with doubles', async (t) => {
  const state = stateWith();
  for (const [sell, buy, quant, received] of trades) {
    const sides = { balance: sell, otherBalance: buy, otherToken: utf8('_'), isFirst: true };
    t.equal(exchangedAmount(state, sides, quant), received, `${quant} into ${sell}:${buy}`);
  }
});

t.test('the remainder of a withdrawal is taken at four decimals, half up', async (t) => {
  t.equal(withdrawRemainder(10n, 3n, 3n), 3.3333 - 3);
  t.equal(withdrawRemainder(3_000_000_000_000n, 7n, 428_571_428_571n), 428571428571.4286 - 428571428571);
  t.equal(withdrawRemainder(1n, 20_000n, 0n), 0.0001);
});

t.test('opening a pool takes both tokens and the fee, and counts', async (t) => {
  const state = stateWith({ ALLOW_SAME_TOKEN_NAME: 1n });
  addAccount(state, OWNER, 2_000_000_000n, { 1000001: 500n });
  const tokens = { firstTokenId: utf8('_'), firstTokenBalance: 900n };
  const pool = { ...tokens, secondTokenId: utf8('1000001'), secondTokenBalance: 400n };
  const result = run(exchangeCreate, state, { ownerAddress: bytesOf(OWNER), ...pool });
  t.equal(result.fee, 1_024_000_000n);
  t.equal(result.exchangeId, 1n);
  t.equal(state.account(addressOf(OWNER))?.balance, 975_999_100n);
  t.equal(state.account(addressOf(OWNER))?.assetV2.get('1000001'), 100n);
  t.equal(state.exchangesV2.get(exchangeKey(1n))?.secondTokenBalance, 400n);
  t.notOk(state.exchanges.has(exchangeKey(1n)));
});

t.test('an injection whose product leaves 64 bits passes the check and fails unchecked', async (t) => {
  const state = stateWith({ ALLOW_SAME_TOKEN_NAME: 1n });
  const [firstTokenId, secondTokenId] = [utf8('_'), utf8('1000001')];
  addAccount(state, OWNER, 10n ** 15n, { 1000001: 10n ** 15n });
  const pool = { exchangeId: 1n, creatorAddress: bytesOf(OWNER), firstTokenId, secondTokenId };
  const balances = { firstTokenBalance: 10n ** 14n, secondTokenBalance: 10n ** 14n };
  state.exchangesV2.put(exchangeKey(1n), Object.assign(new Exchange(), pool, balances));
  const contract = { ownerAddress: bytesOf(OWNER), exchangeId: 1n, tokenId: firstTokenId };
  t.same(refusal(inject, state, { ...contract, quant: 10n ** 14n }), {
    exception: 'ArithmeticException',
    text: 'long overflow',
  });
  t.equal(refusal(inject, state, { ...contract, quant: 90_000n }), undefined);
  t.equal(
    refusal(inject, state, { ...contract, quant: 10n ** 15n })?.text,
    'token balance must less than 1000000000000000',
  );
});
