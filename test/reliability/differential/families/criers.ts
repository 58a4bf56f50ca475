import type { SmartContractABIEntry } from '../../../../src/codec/generated/messages.js';
import { type Address, addressBytes } from '../../../../src/primitives/address.js';
import { concatBytes } from '../../../../src/primitives/bytes.js';
import { everybody } from '../actors.js';
import { type Cry, type CryName, crierRuntime, cries, deployingCrier } from '../crier-code.js';
import { bare } from '../puppet-orders.js';
import { logOf, randomAbi, topicOf } from '../random-abi.js';
import type { Family, Scene } from '../scene.js';
import { deploy, trigger } from './contracts.js';

/** Deploys a crier: a contract that writes logs, with an ABI of events. */
export const deployCrier: Family = (scene) => {
  const { dice } = scene;
  const abi = randomAbi(dice);
  const first = abi.entrys[0];
  return deploy(scene, deployingCrier(first !== undefined && dice.chance(0.3) ? topicOf(first) : undefined), abi);
};

/**
 * Calls a crier. It writes logs in its own code, in a delegate call, or in other criers. Sometimes it destroys itself
 * or reverts.
 */
export const cry: Family = (scene) => {
  const crier = crierOf(scene);
  return crier === undefined ? deployCrier(scene) : trigger(scene, addressBytes(crier), cryOrder(scene, crier, 2));
};

function crierOf({ criers, dice }: Scene): Address | undefined {
  return criers.length === 0 ? undefined : dice.pick(criers.slice(-8));
}

/** @param depth maximum depth of criers that call criers */
function cryOrder(scene: Scene, self: Address, depth: number): Uint8Array {
  const { dice } = scene;
  const all: Cry[] = [];
  for (let left = dice.pick([1, 1, 2, 3, 5]); left > 0; left--) all.push(oneCry(scene, self, depth));
  const end = dice.below(30);
  if (end === 0) all.push({ name: 'revert', data: dice.bytes(dice.below(70)) });
  if (end === 1) all.push({ name: 'selfDestruct', words: [bare(dice.pick(everybody).bytes)] });
  const order = cries(all);
  return dice.chance(0.02) ? concatBytes(order, dice.bytes(dice.below(70))) : order;
}

function oneCry(scene: Scene, self: Address, depth: number): Cry {
  const { dice } = scene;
  const other = crierOf(scene) ?? self;
  const kind = dice.below(20);
  if (kind < 3 && depth > 0) {
    const value = dice.chance(0.8) ? 0n : dice.amount(100n);
    return { name: 'call', words: [bareOf(other), value], data: cryOrder(scene, other, depth - 1) };
  }
  if (kind === 3 && depth > 0)
    return { name: 'delegateCall', words: [bareOf(other)], data: cryOrder(scene, self, depth - 1) };
  if (kind === 4)
    return {
      name: 'create',
      words: [0n, 0n],
      data: deployingCrier(dice.chance(0.5) ? topicOfAny(scene, self) : undefined),
    };
  const entry = entryOf(scene, dice.chance(0.9) ? self : other);
  if (entry === undefined || kind === 5) {
    const topics = dice.below(5);
    const words = Array.from({ length: topics }, () => dice.upTo(10n ** 70n));
    return { name: `log${topics}` as CryName, words, data: dice.bytes(dice.below(100)) };
  }
  const { topics, data } = logOf(entry, dice);
  return { name: `log${topics.length}` as CryName, words: topics, data };
}

const bareOf = (address: Address): bigint => bare(addressBytes(address));

function entryOf({ state, dice }: Scene, crier: Address): SmartContractABIEntry | undefined {
  const { entrys = [] } = state.abis.get(crier) ?? {};
  return entrys.length === 0 ? undefined : dice.pick(entrys);
}

function topicOfAny(scene: Scene, self: Address): bigint {
  const entry = entryOf(scene, self);
  return entry === undefined ? 5n : topicOf(entry);
}

/** Returns whether a deployment created an emitter contract. */
export function isCrier({ state }: Scene, address: Address): boolean {
  return state.code.get(address)?.length === crierRuntime.length;
}
