import { bare, puppetOrder } from '../puppet-orders.js';
import type { Family, Scene } from '../scene.js';
import { OWN_ADDRESS, type ScriptStep, scriptCode } from '../script-code.js';
import { stakeStory } from '../stake-stories.js';
import { deploy } from './contracts.js';

const STEPS_MAX = 10;

function stepOf(scene: Scene): ScriptStep {
  const { dice } = scene;
  const puppet = dice.chance(0.4) ? scene.puppet() : undefined;
  if (puppet === undefined) return { order: puppetOrder(scene, OWN_ADDRESS, 2) };
  const opcode = dice.pick([0xf1, 0xf1, 0xf2, 0xf4, 0xfa, 0xd0]);
  const value = dice.chance(0.7) ? 0n : dice.upTo(3_000_000n);
  // In a delegate call the code of the puppet runs at the address of the script.
  const self = opcode === 0xf1 ? puppet : OWN_ADDRESS;
  return { order: puppetOrder(scene, self, 2), call: { opcode, to: bare(puppet), value } };
}

/**
 * Creates a contract whose constructor does several things in order. Each step sees the effects of the steps before.
 */
export const runScript: Family = (scene) => {
  const { dice } = scene;
  const script = Array.from({ length: dice.between(1, STEPS_MAX) }, () => stepOf(scene));
  let place = 0;
  for (const step of dice.chance(0.4) ? stakeStory(scene) : []) {
    place = dice.between(place, Math.min(place + 2, script.length));
    script.splice(place++, 0, step);
  }
  return deploy(scene, scriptCode(script, dice));
};
