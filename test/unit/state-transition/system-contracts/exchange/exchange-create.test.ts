import t from 'tap';
import { AssetIssueContract } from '../../../../../src/codec/generated/messages.js';
import { toHex, utf8 } from '../../../../../src/primitives/bytes.js';
import { exchangeCreate } from '../../../../../src/state-transition/system-contracts/exchange/exchange-create.js';
import { exchangeKey } from '../../../../../src/state-transition/system-contracts/exchange/exchange-pool.js';
import { refusalsOf } from '../../../../support/vm/refusals.js';
import { addAccount, addressOf, BLACKHOLE, bytesOf, run, stateWith } from '../../../../support/vm/state-with.js';

const OWNER = 1;
const FEE = 1_024_000_000n;
const LIMIT = 1_000_000_000_000_000n;

function fresh(sameNames = 1n) {
  const state = stateWith({ ALLOW_SAME_TOKEN_NAME: sameNames, latest_block_header_timestamp: 9n });
  addAccount(state, OWNER, FEE + 900n, { 1000001: 500n, 1000002: LIMIT + 1n });
  return state;
}

const accepted = {
  ownerAddress: bytesOf(OWNER),
  firstTokenId: utf8('_'),
  firstTokenBalance: 900n,
  secondTokenId: utf8('1000001'),
  secondTokenBalance: 400n,
};

t.test('rejects a pool with the text of the first broken rule', async (t) => {
  refusalsOf(t, exchangeCreate, {
    fresh,
    accepted,
    rows: [
      { text: 'Invalid address', fields: { ownerAddress: new Uint8Array(20) } },
      { text: `account[${addressOf(9)}] not exists`, fields: { ownerAddress: bytesOf(9) } },
      { text: 'No enough balance for exchange create fee!', given: (state) => void addAccount(state, OWNER, FEE - 1n) },
      { text: 'first token id is not a valid number', fields: { firstTokenId: utf8('Coin') } },
      { text: 'second token id is not a valid number', fields: { secondTokenId: utf8('01') } },
      { text: 'cannot exchange same tokens', fields: { secondTokenId: utf8('_') } },
      { text: 'token balance must greater than zero', fields: { firstTokenBalance: 0n } },
      { text: 'token balance must greater than zero', fields: { secondTokenBalance: 0n } },
      { text: `token balance must less than ${LIMIT}`, fields: { firstTokenBalance: LIMIT + 1n } },
      { text: 'balance is not enough', fields: { firstTokenBalance: 901n } },
      {
        text: 'first token balance is not enough',
        fields: { firstTokenId: utf8('1000003'), firstTokenBalance: 1n },
      },
      { text: 'second token balance is not enough', fields: { secondTokenBalance: 501n } },
      { text: undefined, fields: { secondTokenId: utf8('1000002'), secondTokenBalance: LIMIT } },
    ],
  });
});

t.test('assigns the next id to a pool and charges both tokens and the fee', async (t) => {
  const state = fresh();
  const result = run(exchangeCreate, state, accepted);
  t.same([result.fee, result.exchangeId], [FEE, 1n]);
  const account = state.account(addressOf(OWNER));
  t.same([account?.balance, account?.assetV2.get('1000001'), state.account(BLACKHOLE)?.balance], [0n, 100n, FEE]);
  const pool = state.exchangesV2.get(exchangeKey(1n));
  t.same([pool?.createTime, pool?.firstTokenBalance, pool?.secondTokenBalance], [9n, 900n, 400n]);
  t.notOk(state.exchanges.has(exchangeKey(1n)));
});

t.test('stores a pool by name and by id before names may repeat', async (t) => {
  const state = fresh(0n);
  state.assets.put(toHex(utf8('Coin')), Object.assign(new AssetIssueContract(), { id: '1000001' }));
  state.account(addressOf(OWNER))?.asset.set('Coin', 500n);
  run(exchangeCreate, state, { ...accepted, secondTokenId: utf8('Coin') });
  t.same(state.exchanges.get(exchangeKey(1n))?.secondTokenId, utf8('Coin'));
  t.same(state.exchangesV2.get(exchangeKey(1n))?.secondTokenId, utf8('1000001'));
});
