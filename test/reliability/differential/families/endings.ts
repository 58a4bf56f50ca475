import { equalBytes } from '../../../../src/primitives/bytes.js';
import { founders, rich, unborn } from '../actors.js';
import { puppetCall } from '../puppet-code.js';
import { bare, stakeOrder, voteOrder } from '../puppet-orders.js';
import type { Family, Scene } from '../scene.js';
import { deployPuppet, trigger } from './contracts.js';

/** A proxy contract stakes, delegates, votes or unfreezes. */
export const stakePuppet: Family = (scene) => {
  const puppet = scene.puppet();
  if (puppet === undefined) return deployPuppet(scene);
  if (scene.dice.chance(0.2)) return trigger(scene, puppet, voteOrder(scene, false));
  const [name, operands] = stakeOrder(scene, puppet);
  return trigger(scene, puppet, puppetCall(name, operands));
};

/** A puppet destroys itself, with all its balances, stakes and votes. */
export const endPuppet: Family = (scene) => {
  const puppet = scene.puppet();
  if (puppet === undefined) return deployPuppet(scene);
  return trigger(scene, puppet, puppetCall('selfDestruct', [bare(heirOf(scene, puppet))]));
};

/**
 * Returns the beneficiary of a destroyed puppet: itself, an account that delegates to it or receives from it, the black
 * hole, a new account, a contract, or any account.
 */
function heirOf(scene: Scene, puppet: Uint8Array): Uint8Array {
  const { dice, state } = scene;
  const loans = [...state.delegatedResources.range('')].map(([, row]) => row);
  const partners = loans.flatMap(({ from, to }) =>
    equalBytes(from, puppet) ? [to] : equalBytes(to, puppet) ? [from] : [],
  );
  const newcomer = Uint8Array.of(0x41, ...dice.bytes(20));
  const others = [dice.pick(unborn).bytes, founders.blackhole.bytes, newcomer, dice.pick(rich).bytes];
  const contract = scene.contract();
  if (partners.length > 0 && dice.chance(0.3)) return dice.pick(partners);
  return dice.pick([puppet, puppet, ...others, ...(contract === undefined ? [] : [contract])]);
}
