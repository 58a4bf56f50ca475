import { allTronPower, tronPower } from '../../../src/state-transition/resources/stake.js';
import type { Actor } from './actors.js';
import type { Scene } from './scene.js';

const TRX_SUN = 1_000_000n;

/** Returns the number of votes that an account can cast; 0 if the account does not exist. */
export function choosePower(scene: Scene, actor: Actor): bigint {
  const account = scene.account(actor);
  if (account === undefined) return 0n;
  const isNew = scene.state.properties.isOn('ALLOW_NEW_RESOURCE_MODEL');
  return (isNew ? allTronPower(account) : tronPower(account)) / TRX_SUN;
}
