import { type Account, ResourceCode } from '../codec/generated/messages.js';

export const RESOURCES = ['BANDWIDTH', 'ENERGY', 'TRON_POWER'] as const;
export type Resource = (typeof RESOURCES)[number];

/**
 * Returns an account's own stake for a resource in SUN, stake 1.0 and 2.0 together. Excludes stake that is delegated or
 * being unfrozen.
 */
export function stakedFor({ frozen, frozenV2, accountResource, tronPower }: Account, resource: Resource): bigint {
  const v2 = frozenV2.reduce((sum, { type, amount }) => (type === ResourceCode[resource] ? sum + amount : sum), 0n);
  if (resource === 'BANDWIDTH') return frozen.reduce((sum, { frozenBalance }) => sum + frozenBalance, v2);
  if (resource === 'ENERGY') return (accountResource?.frozenBalanceForEnergy?.frozenBalance ?? 0n) + v2;
  return (tronPower?.frozenBalance ?? 0n) + v2;
}
