import { bare, proxyOrder } from '../proxy-orders.js';
import type { Family, Scene } from '../scene.js';
import { OWN_ADDRESS, type ScriptStep, scriptCode } from '../script-code.js';
import { stakeStory } from '../stake-stories.js';
import { deploy } from './contracts.js';

const STEPS_MAX = 10;

function stepOf(scene: Scene): ScriptStep {
  const { random } = scene;
  const proxy = random.chance(0.4) ? scene.proxy() : undefined;
  if (proxy === undefined) return { order: proxyOrder(scene, OWN_ADDRESS, 2) };
  const opcode = random.pick([0xf1, 0xf1, 0xf2, 0xf4, 0xfa, 0xd0]);
  const value = random.chance(0.7) ? 0n : random.upTo(3_000_000n);
  // `CALLCODE` and `DELEGATECALL` run the code of the proxy at the script's address. `STATICCALL` and `CALLTOKEN` run
  // it at the proxy's address, but their operands name the script.
  const self = opcode === 0xf1 ? proxy : OWN_ADDRESS;
  return { order: proxyOrder(scene, self, 2), call: { opcode, to: bare(proxy), value } };
}

/** Creates a contract whose constructor executes several steps. Each step sees the effects of the previous steps. */
export const runScript: Family = (scene) => {
  const { random } = scene;
  const script = Array.from({ length: random.between(1, STEPS_MAX) }, () => stepOf(scene));
  let place = 0;
  for (const step of random.chance(0.4) ? stakeStory(scene) : []) {
    place = random.between(place, Math.min(place + 2, script.length));
    script.splice(place++, 0, step);
  }
  return deploy(scene, scriptCode(script, random));
};
