import { type ProxyStepName, proxyCall } from './proxy-code.js';
import { bare, otherThan, voteOrder } from './proxy-orders.js';
import type { RandomChoices } from './random-choices.js';
import type { Scene } from './scene.js';
import { OWN_ADDRESS, type ScriptStep } from './script-code.js';

const TRX_SUN = 1_000_000n;
const CALL = 0xf1;

const some = (random: RandomChoices): bigint => (random.upTo(50n) + 1n) * TRX_SUN;

/**
 * Returns steps of a script that depend on each other. The first steps stake. The next steps unstake, delegate, end a
 * delegation, vote, or destroy the contract.
 */
export function stakeStory(scene: Scene): ScriptStep[] {
  const { random } = scene;
  const resource = BigInt(random.below(2));
  const amount = some(random);
  const part = random.chance(0.3) ? amount : (random.upTo(amount / TRX_SUN) || 1n) * TRX_SUN;
  const other = otherThan(scene, OWN_ADDRESS);
  const own = (name: ProxyStepName, ...operands: bigint[]): ScriptStep => ({ order: proxyCall(name, operands) });
  const stake = own('freezeV2', resource, amount);
  const unstake = own('unfreezeV2', resource, part);
  const delegate = own('delegate', resource, part, other);
  const end = own('selfDestruct', other);
  const vote = { order: voteOrder(scene, false) };
  const stories: readonly (readonly ScriptStep[])[] = [
    [stake, unstake, own('cancelUnfreezing')],
    [stake, unstake, own('withdrawUnfrozen')],
    [stake, delegate, own('undelegate', resource, random.chance(0.5) ? part : TRX_SUN, other)],
    [stake, delegate, end],
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
      ...Array.from({ length: random.between(31, 33) }, () => own('unfreezeV2', resource, 1n)),
      own(random.pick(['cancelUnfreezing', 'withdrawUnfrozen', 'withdrawReward'])),
    ],
    endedProxy(scene, other),
  ];
  return [...random.pick(stories)];
}

/**
 * Returns steps that destroy a proxy in a call. Then the proxy is called again, or receives the balance of its caller.
 */
function endedProxy(scene: Scene, other: bigint): ScriptStep[] {
  const { random } = scene;
  const proxy = scene.proxy();
  if (proxy === undefined) return [];
  const call = (name: ProxyStepName, ...operands: bigint[]): ScriptStep => ({
    order: proxyCall(name, operands),
    call: { opcode: CALL, to: bare(proxy), value: random.chance(0.5) ? 0n : random.upTo(3_000_000n) },
  });
  const ended = call('selfDestruct', other);
  const resource = BigInt(random.below(2));
  return random.pick<ScriptStep[]>([
    [ended, call('freezeV2', resource, some(random))],
    [ended, call('delegate', resource, TRX_SUN, other)],
    [ended, call('unfreezeV2', resource, TRX_SUN)],
    [ended, { order: proxyCall('selfDestruct', [bare(proxy)]) }],
    [ended, call('selfDestruct', other)],
  ]);
}
