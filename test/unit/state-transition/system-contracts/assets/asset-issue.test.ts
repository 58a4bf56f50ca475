import t from 'tap';
import { AssetIssueContractFrozenSupply } from '../../../../../src/codec/generated/messages.js';
import { utf8 } from '../../../../../src/primitives/bytes.js';
import { assetIssue } from '../../../../../src/state-transition/system-contracts/assets/asset-issue.js';
import { refusalsOf } from '../../../../support/vm/refusals.js';
import { addAccount, addressOf, BLACKHOLE, bytesOf, run, stateWith } from '../../../../support/vm/state-with.js';

const OWNER = 1;
const NOW = 1000n;
const FEE = 1_024_000_000n;
const DAY_LIMIT = 57_600_000_000n;

function fresh() {
  const state = stateWith({ ALLOW_SAME_TOKEN_NAME: 1n, latest_block_header_timestamp: NOW });
  addAccount(state, OWNER, FEE);
  return state;
}

const frozen = (frozenAmount: bigint, frozenDays = 1n) =>
  Object.assign(new AssetIssueContractFrozenSupply(), { frozenAmount, frozenDays });

const accepted = {
  ownerAddress: bytesOf(OWNER),
  name: utf8('Coin'),
  abbr: utf8('C'),
  url: utf8('u'),
  precision: 6,
  totalSupply: 100n,
  trxNum: 1,
  num: 1,
  startTime: NOW + 1n,
  endTime: NOW + 2n,
  frozenSupply: [frozen(60n), frozen(40n, 3652n)],
};

const DAYS = 'frozenDuration must be less than 3652 days and more than 1 days';

t.test('rejects an asset with the text of the first broken rule', async (t) => {
  refusalsOf(t, assetIssue, {
    fresh,
    accepted,
    rows: [
      { text: 'Invalid ownerAddress', fields: { ownerAddress: new Uint8Array(20) } },
      { text: 'Invalid assetName', fields: { name: utf8('a b') } },
      { text: "assetName can't be trx", fields: { name: utf8('tRx') } },
      { text: 'precision cannot exceed 6', fields: { precision: 7 } },
      { text: 'precision cannot exceed 6', fields: { precision: -1 } },
      { text: 'Invalid abbreviation for token', fields: { abbr: utf8(' ') } },
      { text: undefined, fields: { abbr: utf8('') } },
      { text: 'Invalid url', fields: { url: utf8('') } },
      { text: 'Invalid description', fields: { description: new Uint8Array(201) } },
      { text: 'Start time should be not empty', fields: { startTime: 0n } },
      { text: 'End time should be not empty', fields: { endTime: 0n } },
      { text: 'End time should be greater than start time', fields: { endTime: NOW + 1n } },
      { text: 'Start time should be greater than HeadBlockTime', fields: { startTime: NOW } },
      { text: 'TotalSupply must greater than 0!', fields: { totalSupply: 0n } },
      { text: 'TrxNum must greater than 0!', fields: { trxNum: 0 } },
      { text: 'Num must greater than 0!', fields: { num: 0 } },
      { text: 'PublicFreeAssetNetUsage must be 0!', fields: { publicFreeAssetNetUsage: 1n } },
      { text: 'Frozen supply list length is too long', fields: { frozenSupply: new Array(11).fill(frozen(1n)) } },
      { text: 'Invalid FreeAssetNetLimit', fields: { freeAssetNetLimit: DAY_LIMIT } },
      { text: 'Invalid FreeAssetNetLimit', fields: { freeAssetNetLimit: -1n } },
      { text: 'Invalid PublicFreeAssetNetLimit', fields: { publicFreeAssetNetLimit: DAY_LIMIT } },
      { text: undefined, fields: { publicFreeAssetNetLimit: DAY_LIMIT - 1n } },
      { text: 'Frozen supply must be greater than 0!', fields: { frozenSupply: [frozen(0n)] } },
      { text: 'Frozen supply cannot exceed total supply', fields: { frozenSupply: [frozen(60n), frozen(41n)] } },
      { text: DAYS, fields: { frozenSupply: [frozen(1n, 0n)] } },
      { text: DAYS, fields: { frozenSupply: [frozen(1n, 3653n)] } },
      { text: 'Account not exists', fields: { ownerAddress: bytesOf(9) } },
      {
        text: 'An account can only issue one asset',
        given: (state) => {
          addAccount(state, OWNER, FEE).assetIssuedName = utf8('Other');
        },
      },
      {
        text: 'No enough balance for fee!',
        given: (state) => {
          addAccount(state, OWNER, FEE - 1n);
        },
      },
      {
        text: 'Token exists',
        given: (state) => {
          state.properties.set('ALLOW_SAME_TOKEN_NAME', 0n);
          addAccount(state, 2, FEE);
          run(assetIssue, state, { ...accepted, ownerAddress: bytesOf(2) });
        },
      },
    ],
  });
});

t.test('credits the unfrozen supply to the issuer, and sets the expiry of each frozen part', async (t) => {
  const state = fresh();
  const result = run(assetIssue, state, { ...accepted, frozenSupply: [frozen(30n, 2n), frozen(20n)] });
  t.same([result.fee, result.assetIssueID], [FEE, '1000001']);
  const account = state.account(addressOf(OWNER));
  t.same([...(account?.assetV2 ?? [])], [['1000001', 50n]]);
  t.same(
    account?.frozenSupply.map(({ frozenBalance, expireTime }) => [frozenBalance, expireTime]),
    [
      [30n, NOW + 1n + 172_800_000n],
      [20n, NOW + 1n + 86_400_000n],
    ],
  );
  t.same([account?.balance, state.account(BLACKHOLE)?.balance], [0n, FEE]);
});
