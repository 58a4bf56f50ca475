import {
  FreezeBalanceContract,
  UnfreezeBalanceContract,
  WithdrawBalanceContract,
} from '../../../../src/codec/generated/messages.js';
import type { Family, Scene } from '../scene.js';
import { draft } from '../sealed-transaction.js';

const TRX_SUN = 1_000_000n;
const DAY_MS = 86_400_000n;

const resource = ({ random }: Scene): number =>
  random.chance(0.02) ? random.pick([3, -1]) : random.pick([0, 0, 1, 1, 2]);

export const freeze: Family = (scene) => {
  const owner = scene.owner();
  const { random } = scene;
  const most = scene.balance(owner) / 2000n;
  const frozenBalance = random.chance(0.7) ? random.upTo(most / TRX_SUN) * TRX_SUN + TRX_SUN : random.amount(most);
  const frozenDuration = random.chance(0.95) ? 3n : random.pick([0n, 2n, 4n, -1n]);
  const fields = { ownerAddress: owner.bytes, frozenBalance, frozenDuration, resource: resource(scene) };
  const receiver = random.chance(0.4) ? { receiverAddress: scene.target() } : {};
  return draft('FreezeBalanceContract', FreezeBalanceContract, { ...fields, ...receiver }, owner);
};

export const unfreeze: Family = (scene) => {
  const { random } = scene;
  const delegations = [...scene.state.delegatedResources.range('')].map(([, row]) => row);
  if (delegations.length > 0 && random.chance(0.5)) {
    const { from, to } = random.pick(delegations);
    const fields = { ownerAddress: from, receiverAddress: to, resource: resource(scene) };
    return draft('UnfreezeBalanceContract', UnfreezeBalanceContract, fields, scene.keyOf(from));
  }
  const owner = scene.ownerWho(({ frozen, accountResource, tronPower }) =>
    [...frozen, accountResource?.frozenBalanceForEnergy, tronPower].some((stake) => stake !== undefined),
  );
  const fields = { ownerAddress: owner.bytes, resource: resource(scene) };
  return draft('UnfreezeBalanceContract', UnfreezeBalanceContract, fields, owner);
};

export const withdrawReward: Family = (scene) => {
  const day = scene.headMs - DAY_MS;
  const owner = scene.ownerWho(
    ({ allowance, votes, latestWithdrawTime }) => (allowance > 0n || votes.length > 0) && latestWithdrawTime <= day,
  );
  return draft('WithdrawBalanceContract', WithdrawBalanceContract, { ownerAddress: owner.bytes }, owner);
};
