import t from 'tap';
import { Exchange } from '../../../../../src/codec/generated/messages.js';
import { utf8 } from '../../../../../src/primitives/bytes.js';
import {
  exchangedAmount,
  hardenedAmount,
  isTokenName,
  isTrx,
  sidesOf,
} from '../../../../../src/state-transition/system-contracts/exchange/exchange-pool.js';
import { stateWith } from '../../../../support/vm/state-with.js';

// The first four rows are trades of a chain recorded from 4.7.2. The other rows were computed in Java with the formula
// of 4.7.2.
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

t.test('pays the same amounts as java-tron computes with doubles', async (t) => {
  const state = stateWith();
  for (const [sell, buy, quant, received] of trades) {
    const sides = { balance: sell, otherBalance: buy, otherToken: utf8('_'), isFirst: true };
    t.equal(exchangedAmount(state, sides, quant), received, `${quant} into ${sell}:${buy}`);
  }
});

t.test('returns the sides of a pool as seen from the sold token', async (t) => {
  const tokens = {
    firstTokenId: utf8('_'),
    firstTokenBalance: 1n,
    secondTokenId: utf8('1000001'),
    secondTokenBalance: 2n,
  };
  const pool = Object.assign(new Exchange(), tokens);
  const first = { balance: 1n, otherToken: utf8('1000001'), otherBalance: 2n, isFirst: true };
  t.same(sidesOf(pool, utf8('_')), first);
  t.same(sidesOf(pool, utf8('1000001')), { balance: 2n, otherToken: utf8('_'), otherBalance: 1n, isFirst: false });
});

t.test('accepts TRX or a number as a token once names may repeat', async (t) => {
  const [named, numbered] = [stateWith(), stateWith({ ALLOW_SAME_TOKEN_NAME: 1n })];
  t.same(
    ['_', '1000001', 'Coin'].map((name) => [isTokenName(named, utf8(name)), isTokenName(numbered, utf8(name))]),
    [
      [true, true],
      [true, true],
      [true, false],
    ],
  );
  t.same([isTrx(utf8('_')), isTrx(utf8('__')), isTrx(utf8(''))], [true, false, false]);
});

t.test('computes hardened amounts close to doubles, with errors on overflow', async (t) => {
  for (const [sell, buy, quant, received] of trades.slice(0, 4)) {
    const distance = hardenedAmount(sell, buy, quant) - received;
    t.ok(distance >= -1n && distance <= 1n, `${distance}`);
  }
  t.throws(() => hardenedAmount(2n ** 63n - 1n, 1n, 1n), /overflow/i);
});
