import {
  CancelAllUnfreezeV2Contract,
  DelegateResourceContract,
  FreezeBalanceV2Contract,
  UnDelegateResourceContract,
  UnfreezeBalanceV2Contract,
  WithdrawExpireUnfreezeContract,
} from '../../../../src/codec/generated/messages.js';
import { rich } from '../actors.js';
import type { Family, Scene } from '../scene.js';
import { draft } from '../sealed-transaction.js';

const TRX_SUN = 1_000_000n;

const resource = ({ random }: Scene): number =>
  random.chance(0.02) ? random.pick([3, 7]) : random.pick([0, 0, 1, 1, 2]);

export const freezeV2: Family = (scene) => {
  const owner = scene.owner();
  const { random } = scene;
  const most = scene.balance(owner) / 2000n;
  const frozenBalance = random.chance(0.7) ? random.upTo(most / TRX_SUN) * TRX_SUN + TRX_SUN : random.amount(most);
  const fields = { ownerAddress: owner.bytes, frozenBalance, resource: resource(scene) };
  return draft('FreezeBalanceV2Contract', FreezeBalanceV2Contract, fields, owner);
};

export const unfreezeV2: Family = (scene) => {
  const owner = scene.owner();
  const frozen = scene.account(owner)?.frozenV2 ?? [];
  const { type, amount } = frozen.length > 0 ? scene.random.pick(frozen) : { type: resource(scene), amount: TRX_SUN };
  const unfreezeBalance = scene.random.amount(amount / (scene.random.chance(0.5) ? 40n : 1n));
  const fields = { ownerAddress: owner.bytes, unfreezeBalance, resource: type };
  return draft('UnfreezeBalanceV2Contract', UnfreezeBalanceV2Contract, fields, owner);
};

export const withdrawUnfrozen: Family = (scene) => {
  const { headMs } = scene;
  const owner = scene.ownerWho(({ unfrozenV2 }) =>
    unfrozenV2.some(({ unfreezeExpireTime }) => unfreezeExpireTime <= headMs),
  );
  const fields = { ownerAddress: owner.bytes };
  return draft('WithdrawExpireUnfreezeContract', WithdrawExpireUnfreezeContract, fields, owner);
};

export const cancelUnfreezing: Family = (scene) => {
  const owner = scene.ownerWho(({ unfrozenV2 }) => unfrozenV2.length > 0);
  return draft('CancelAllUnfreezeV2Contract', CancelAllUnfreezeV2Contract, { ownerAddress: owner.bytes }, owner);
};

export const delegate: Family = (scene) => {
  const owner = scene.random.chance(0.9) ? scene.random.pick(rich) : scene.owner();
  const { random } = scene;
  const frozen = (scene.account(owner)?.frozenV2 ?? []).filter(({ type }) => type < 2);
  const { type, amount } = frozen.length > 0 ? random.pick(frozen) : { type: resource(scene), amount: TRX_SUN };
  const balance = random.chance(0.5) ? random.upTo(amount / 10n) + TRX_SUN : random.amount(amount);
  const lock = random.chance(0.4);
  const most = scene.state.properties.get('MAX_DELEGATE_LOCK_PERIOD');
  const lockPeriod = random.chance(0.6)
    ? BigInt(random.below(200))
    : random.pick([0n, -1n, 86_400n, 86_401n, 1n, most, most + 1n]);
  const receiverAddress = random.chance(0.5) ? random.pick(rich).bytes : scene.target();
  const fields = { ownerAddress: owner.bytes, resource: type, balance, receiverAddress, lock, lockPeriod };
  return draft('DelegateResourceContract', DelegateResourceContract, fields, owner);
};

export const undelegate: Family = (scene) => {
  const { random } = scene;
  const delegations = [...scene.state.delegatedResources.range('')].map(([, row]) => row);
  if (delegations.length === 0) return undefined;
  const { from, to, frozenBalanceForBandwidth, frozenBalanceForEnergy } = random.pick(delegations);
  const isEnergy = random.chance(0.05) ? random.chance(0.5) : frozenBalanceForEnergy > 0n;
  const balance = random.amount(isEnergy ? frozenBalanceForEnergy : frozenBalanceForBandwidth);
  const fields = { ownerAddress: from, receiverAddress: to, balance, resource: isEnergy ? 1 : 0 };
  return draft('UnDelegateResourceContract', UnDelegateResourceContract, fields, scene.keyOf(from));
};
