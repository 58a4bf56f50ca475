import t from 'tap';
import { type AssetIssueContract, AssetIssueContractFrozenSupply } from '../../../../src/codec/generated/messages.js';
import { utf8 } from '../../../../src/primitives/bytes.js';
import { release472 } from '../../../../src/state-transition/releases/release-4.7.2.js';
import { release482 } from '../../../../src/state-transition/releases/release-4.8.2.js';
import { assetIssue } from '../../../../src/state-transition/system-contracts/assets/asset-issue.js';
import { freezeBalanceV2 } from '../../../../src/state-transition/system-contracts/staking/freeze-balance-v2.js';
import { addAccount, bytesOf, refusal, stateWith } from '../../../support/vm/state-with.js';

const OWNER = 1;
const NOW = 1_700_000_000_000n;

// Reference: AssetIssueActuator.validate since 4.8.1. The end of a frozen part must fit into a long.
t.test('bounds the end of a frozen supply by 64 bits since 4.8.1', async (t) => {
  const issue = (passed: boolean, startTime: bigint): string | null | undefined => {
    const state = stateWith({ latest_block_header_timestamp: NOW, ALLOW_SAME_TOKEN_NAME: 1n }, release482);
    if (passed) state.properties.setForkStats(34, Uint8Array.of(1));
    addAccount(state, OWNER, 2_000_000_000n);
    const frozen = Object.assign(new AssetIssueContractFrozenSupply(), { frozenAmount: 1n, frozenDays: 1n });
    const fields: Partial<AssetIssueContract> = {
      ownerAddress: bytesOf(OWNER),
      name: utf8('Token'),
      abbr: utf8('TKN'),
      url: utf8('http://token.example'),
      totalSupply: 10n,
      trxNum: 1,
      num: 1,
      startTime,
      endTime: 2n ** 63n - 1n,
      frozenSupply: [frozen],
    };
    return refusal(assetIssue, state, fields)?.text;
  };
  const edge = 2n ** 63n - 1n - 86_400_000n;
  t.equal(issue(true, edge), undefined);
  t.equal(issue(true, edge + 1n), 'Start time and frozen days would cause expire time overflow');
  t.equal(issue(false, edge + 1n), undefined);
});

t.test('uses the error texts of the release', async (t) => {
  const texts = [release472, release482].map((release) => {
    const state = stateWith({ UNFREEZE_DELAY_DAYS: 14n }, release);
    addAccount(state, OWNER, 5_000_000n);
    const freeze = (frozenBalance: bigint) =>
      refusal(freezeBalanceV2, state, { ownerAddress: bytesOf(OWNER), frozenBalance })?.text;
    return [freeze(999_999n), freeze(5_000_001n), freeze(5_000_000n)];
  });
  t.same(texts, [
    ['frozenBalance must be more than 1TRX', 'frozenBalance must be less than accountBalance', undefined],
    [
      'frozenBalance must be greater than or equal to 1 TRX',
      'frozenBalance must be less than or equal to accountBalance',
      undefined,
    ],
  ]);
});
