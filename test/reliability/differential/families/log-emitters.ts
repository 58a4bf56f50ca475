import type { SmartContractABIEntry } from '../../../../src/codec/generated/messages.js';
import { type Address, addressBytes } from '../../../../src/primitives/address.js';
import { concatBytes } from '../../../../src/primitives/bytes.js';
import { everybody } from '../actors.js';
import {
  deployingLogEmitter,
  type EmitStep,
  type EmitStepName,
  emitSteps,
  logEmitterRuntime,
} from '../log-emitter-code.js';
import { bare } from '../proxy-orders.js';
import { logOf, randomAbi, topicOf } from '../random-abi.js';
import type { Family, Scene } from '../scene.js';
import { deploy, trigger } from './contracts.js';

/** Deploys a log emitter: a contract that writes logs, with an ABI of events. */
export const deployLogEmitter: Family = (scene) => {
  const { random } = scene;
  const abi = randomAbi(random);
  const first = abi.entrys[0];
  return deploy(
    scene,
    deployingLogEmitter(first !== undefined && random.chance(0.3) ? topicOf(first) : undefined),
    abi,
  );
};

/**
 * Calls a log emitter. The emitter writes event logs itself, in a delegate call, or by calls of other log emitters.
 * Sometimes it destroys itself or reverts.
 */
export const emitLogs: Family = (scene) => {
  const logEmitter = logEmitterOf(scene);
  return logEmitter === undefined
    ? deployLogEmitter(scene)
    : trigger(scene, addressBytes(logEmitter), emitOrder(scene, logEmitter, 2));
};

function logEmitterOf({ logEmitters, random }: Scene): Address | undefined {
  return logEmitters.length === 0 ? undefined : random.pick(logEmitters.slice(-8));
}

/** Returns the call data for a log emitter. @param depth maximum depth of calls from log emitter to log emitter */
function emitOrder(scene: Scene, self: Address, depth: number): Uint8Array {
  const { random } = scene;
  const all: EmitStep[] = [];
  for (let left = random.pick([1, 1, 2, 3, 5]); left > 0; left--) all.push(oneCry(scene, self, depth));
  const end = random.below(30);
  if (end === 0) all.push({ name: 'revert', data: random.bytes(random.below(70)) });
  if (end === 1) all.push({ name: 'selfDestruct', words: [bare(random.pick(everybody).bytes)] });
  const order = emitSteps(all);
  return random.chance(0.02) ? concatBytes(order, random.bytes(random.below(70))) : order;
}

function oneCry(scene: Scene, self: Address, depth: number): EmitStep {
  const { random } = scene;
  const other = logEmitterOf(scene) ?? self;
  const kind = random.below(20);
  if (kind < 3 && depth > 0) {
    const value = random.chance(0.8) ? 0n : random.amount(100n);
    return { name: 'call', words: [bareOf(other), value], data: emitOrder(scene, other, depth - 1) };
  }
  if (kind === 3 && depth > 0)
    return { name: 'delegateCall', words: [bareOf(other)], data: emitOrder(scene, self, depth - 1) };
  if (kind === 4)
    return {
      name: 'create',
      words: [0n, 0n],
      data: deployingLogEmitter(random.chance(0.5) ? topicOfAny(scene, self) : undefined),
    };
  const entry = entryOf(scene, random.chance(0.9) ? self : other);
  if (entry === undefined || kind === 5) {
    const topics = random.below(5);
    const words = Array.from({ length: topics }, () => random.upTo(10n ** 70n));
    return { name: `log${topics}` as EmitStepName, words, data: random.bytes(random.below(100)) };
  }
  const { topics, data } = logOf(entry, random);
  return { name: `log${topics.length}` as EmitStepName, words: topics, data };
}

const bareOf = (address: Address): bigint => bare(addressBytes(address));

function entryOf({ state, random }: Scene, logEmitter: Address): SmartContractABIEntry | undefined {
  const { entrys = [] } = state.abis.get(logEmitter) ?? {};
  return entrys.length === 0 ? undefined : random.pick(entrys);
}

function topicOfAny(scene: Scene, self: Address): bigint {
  const entry = entryOf(scene, self);
  return entry === undefined ? 5n : topicOf(entry);
}

/** Returns true if the contract at the address is a log emitter. */
export function isLogEmitter({ state }: Scene, address: Address): boolean {
  return state.code.get(address)?.length === logEmitterRuntime.length;
}
