import type { Dice } from './dice.js';
import { type PuppetStepName, puppetCall } from './puppet-code.js';
import { bare, otherThan, voteOrder } from './puppet-orders.js';
import type { Scene } from './scene.js';
import { OWN_ADDRESS, type ScriptStep } from './script-code.js';

const TRX_SUN = 1_000_000n;
const CALL = 0xf1;

const some = (dice: Dice): bigint => (dice.upTo(50n) + 1n) * TRX_SUN;

/**
 * Returns steps of a script that depend on each other: stake, then unstake, delegate, end a delegation, vote, or
 * destroy the contract.
 */
export function stakeStory(scene: Scene): ScriptStep[] {
  const { dice } = scene;
  const resource = BigInt(dice.below(2));
  const amount = some(dice);
  const part = dice.chance(0.3) ? amount : (dice.upTo(amount / TRX_SUN) || 1n) * TRX_SUN;
  const other = otherThan(scene, OWN_ADDRESS);
  const own = (name: PuppetStepName, ...operands: bigint[]): ScriptStep => ({ order: puppetCall(name, operands) });
  const stake = own('freezeV2', resource, amount);
  const unstake = own('unfreezeV2', resource, part);
  const lend = own('delegate', resource, part, other);
  const end = own('selfDestruct', other);
  const vote = { order: voteOrder(scene, false) };
  const stories: readonly (readonly ScriptStep[])[] = [
    [stake, unstake, own('cancelUnfreezing')],
    [stake, unstake, own('withdrawUnfrozen')],
    [stake, lend, own('undelegate', resource, dice.chance(0.5) ? part : TRX_SUN, other)],
    [stake, lend, end],
    [stake, unstake, end],
    [own('freezeV2', 2n, amount), vote, own('unfreezeV2', 2n, part), own('withdrawReward')],
    [stake, vote, own('unfreezeV2', resource, amount), end],
    [
      own('freeze', resource, amount, other),
      own('freezeExpireTime', resource, other),
      own('unfreeze', resource, other),
    ],
    [
      stake,
      ...Array.from({ length: dice.between(31, 33) }, () => own('unfreezeV2', resource, 1n)),
      own(dice.pick(['cancelUnfreezing', 'withdrawUnfrozen', 'withdrawReward'])),
    ],
    endedPuppet(scene, other),
  ];
  return [...dice.pick(stories)];
}

/** A puppet is destroyed in a call and receives another order afterwards, or inherits from its caller. */
function endedPuppet(scene: Scene, other: bigint): ScriptStep[] {
  const { dice } = scene;
  const puppet = scene.puppet();
  if (puppet === undefined) return [];
  const call = (name: PuppetStepName, ...operands: bigint[]): ScriptStep => ({
    order: puppetCall(name, operands),
    call: { opcode: CALL, to: bare(puppet), value: dice.chance(0.5) ? 0n : dice.upTo(3_000_000n) },
  });
  const ended = call('selfDestruct', other);
  const resource = BigInt(dice.below(2));
  return dice.pick<ScriptStep[]>([
    [ended, call('freezeV2', resource, some(dice))],
    [ended, call('delegate', resource, TRX_SUN, other)],
    [ended, call('unfreezeV2', resource, TRX_SUN)],
    [ended, { order: puppetCall('selfDestruct', [bare(puppet)]) }],
    [ended, call('selfDestruct', other)],
  ]);
}
