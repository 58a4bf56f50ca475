import { equalBytes } from '../../../../src/primitives/bytes.js';
import { founders, rich, unborn } from '../actors.js';
import { proxyCall } from '../proxy-code.js';
import { bare, stakeOrder, voteOrder } from '../proxy-orders.js';
import type { Family, Scene } from '../scene.js';
import { deployProxy, trigger } from './contracts.js';

/** Makes a proxy contract stake, delegate, vote or unfreeze. */
export const stakeProxy: Family = (scene) => {
  const proxy = scene.proxy();
  if (proxy === undefined) return deployProxy(scene);
  if (scene.random.chance(0.2)) return trigger(scene, proxy, voteOrder(scene, false));
  const [name, operands] = stakeOrder(scene, proxy);
  return trigger(scene, proxy, proxyCall(name, operands));
};

/** Makes a proxy destroy itself, with all its balances, stakes and votes. */
export const endProxy: Family = (scene) => {
  const proxy = scene.proxy();
  if (proxy === undefined) return deployProxy(scene);
  return trigger(scene, proxy, proxyCall('selfDestruct', [bare(heirOf(scene, proxy))]));
};

/**
 * Returns the recipient of the balance of a destroyed proxy: the proxy itself, an account of one of its delegations,
 * the black hole, a new account, a contract, or any account.
 */
function heirOf(scene: Scene, proxy: Uint8Array): Uint8Array {
  const { random, state } = scene;
  const loans = [...state.delegatedResources.range('')].map(([, row]) => row);
  const partners = loans.flatMap(({ from, to }) =>
    equalBytes(from, proxy) ? [to] : equalBytes(to, proxy) ? [from] : [],
  );
  const newcomer = Uint8Array.of(0x41, ...random.bytes(20));
  const others = [random.pick(unborn).bytes, founders.blackhole.bytes, newcomer, random.pick(rich).bytes];
  const contract = scene.contract();
  if (partners.length > 0 && random.chance(0.3)) return random.pick(partners);
  return random.pick([proxy, proxy, ...others, ...(contract === undefined ? [] : [contract])]);
}
