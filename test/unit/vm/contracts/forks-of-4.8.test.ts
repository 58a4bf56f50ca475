import t from 'tap';
import {
  type AssetIssueContract,
  AssetIssueContractFrozenSupply,
  Witness,
} from '../../../../src/codec/generated/messages.js';
import { utf8 } from '../../../../src/domain/bytes.js';
import { assetIssue } from '../../../../src/vm/contracts/assets/asset-issue.js';
import { isFrozenTrade } from '../../../../src/vm/contracts/exchange/frozen-trades.js';
import { proposalCreate } from '../../../../src/vm/contracts/governance/proposal-create.js';
import { freezeBalanceV2 } from '../../../../src/vm/contracts/staking/freeze-balance-v2.js';
import { proposalKey } from '../../../../src/vm/proposals/process-proposals.js';
import { release472 } from '../../../../src/vm/releases/release-4.7.2.js';
import { release482 } from '../../../../src/vm/releases/release-4.8.2.js';
import type { DecodedTransaction } from '../../../../src/vm/transaction.js';
import { addAccount, addressOf, bytesOf, refusal, stateWith } from '../../../support/vm/state-with.js';

const OWNER = 1;
const NOW = 1_700_000_000_000n;

// Reference: AssetIssueActuator.validate since 4.8.1: the end of a frozen part must be a long.
t.test('a frozen part of a token ends within 64 bits once 4.8.1 has passed', async (t) => {
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

t.test('trades with pools wait for vote 98, and wait again when it is taken back', async (t) => {
  const trade = { contractType: 44 } as DecodedTransaction;
  t.ok(isFrozenTrade(stateWith(), trade));
  t.notOk(isFrozenTrade(stateWith({ ALLOW_HARDEN_EXCHANGE_CALCULATION: 1n }), trade));
  t.ok(isFrozenTrade(stateWith({ ALLOW_HARDEN_EXCHANGE_CALCULATION: 0n }), trade));
  for (const contractType of [41, 42, 43, 1]) t.notOk(isFrozenTrade(stateWith(), { ...trade, contractType }));
});

t.test('texts are the release’s', async (t) => {
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

t.test('a proposal lives as long as the chain says; a value out of bounds does not count', async (t) => {
  const endOf = (life: bigint | undefined): bigint | undefined => {
    const stored = life === undefined ? {} : { PROPOSAL_EXPIRE_TIME: life };
    const state = stateWith(
      { latest_block_header_timestamp: NOW, NEXT_MAINTENANCE_TIME: NOW + 5000n, ...stored },
      release482,
    );
    addAccount(state, OWNER);
    state.witnesses.put(addressOf(OWNER), Object.assign(new Witness(), { address: bytesOf(OWNER) }));
    refusal(proposalCreate, state, { ownerAddress: bytesOf(OWNER), parameters: new Map([[1n, 5n]]) });
    return state.proposals.get(proposalKey(1n))?.expirationTime;
  };
  const period = 21_600_000n;
  const standard = NOW + 5000n + 12n * period;
  t.equal(endOf(undefined), standard);
  t.equal(endOf(1n), NOW + 5000n + period, 'Java divides towards zero: the maintenance after the next');
  t.equal(endOf(period + 5000n), NOW + 5000n + 2n * period);
  t.equal(endOf(0n), standard);
  t.equal(endOf(31_536_003_000n), standard);
});
