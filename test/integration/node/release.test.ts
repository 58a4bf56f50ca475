import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { readHoconText } from '../../../src/config/hocon/hocon.js';
import { configFrom } from '../../../src/config/load-config.js';
import { chainRules } from '../../../src/node/chain-config.js';
import type { ChainRules } from '../../../src/state-transition/state/chain-rules.js';
import { golden } from '../../support/tronicle.js';

const base = readFileSync(join(golden, 'stake', 'config.conf'), 'utf8');

function rulesOf(release: string, lines: string): ChainRules {
  const text = `${base}\ntronicle.release = "${release}"\n${lines}\n`;
  return chainRules(configFrom(readHoconText(text, 'test'), {}).config);
}

// Reference: BlockConfig.postProcess, CommitteeConfig.postProcess of 4.8.2.
const BOUNDS = 'is only allowed to be greater than 0 and less than 31536003000!';
const cases: readonly (readonly [lines: string, text: string | undefined])[] = [
  ['block.proposalExpireTime = 1', undefined],
  ['block.proposalExpireTime = 0', `The value[block.proposalExpireTime] ${BOUNDS}`],
  ['block.proposalExpireTime = -5', `The value[block.proposalExpireTime] ${BOUNDS}`],
  ['committee.allowOldRewardOpt = 1, committee.allowNewReward = 1', undefined],
  [
    'committee.allowOldRewardOpt = 1, committee.allowNewReward = 0, committee.allowTvmVote = 0, committee.allowNewRewardAlgorithm = 0',
    'At least one of the following proposals is required to be opened first: committee.allowNewRewardAlgorithm = 1 or committee.allowNewReward = 1 or committee.allowTvmVote = 1.',
  ],
];

t.test('rejects configured parameter values that 4.8.2 forbids, and accepts them in 4.7.2', async (t) => {
  for (const [lines, text] of cases) {
    if (text === undefined) t.ok(rulesOf('4.8.2', lines), lines);
    else t.throws(() => rulesOf('4.8.2', lines), { message: text }, lines);
    t.ok(rulesOf('4.7.2', lines), lines);
  }
});

t.test('applies configured parameters only in a release that has them', async (t) => {
  const lines = 'committee.allowStrictMath = 1, committee.allowTvmShangHai = 1';
  const read = (release: string, name: 'ALLOW_STRICT_MATH' | 'ALLOW_TVM_SHANGHAI') =>
    rulesOf(release, lines).configured.get(name);
  t.equal(read('4.7.2', 'ALLOW_STRICT_MATH'), undefined);
  t.equal(read('4.8.2', 'ALLOW_STRICT_MATH'), 1n);
  t.equal(read('4.7.2', 'ALLOW_TVM_SHANGHAI'), 1n);
});

t.test('since 4.8.2, accepts the proposal lifetime only in the section block, within bounds', async (t) => {
  const moved =
    /^It is not allowed to configure committee.proposalExpireTime in config.conf, please set the value in block/;
  const outside =
    /^The value\[block.proposalExpireTime\] is only allowed to be greater than 0 and less than 31536003000!$/;
  const wrong: readonly (readonly [lines: string, text: RegExp])[] = [
    ['committee.proposalExpireTime = 1000', moved],
    ['block.proposalExpireTime = 0', outside],
    ['block.proposalExpireTime = -1', outside],
  ];
  for (const [lines, text] of wrong) {
    t.throws(() => rulesOf('4.8.2', lines), text, lines);
    t.ok(rulesOf('4.7.2', lines), lines);
  }
  t.ok(rulesOf('4.8.2', 'block.proposalExpireTime = 1'));
});
