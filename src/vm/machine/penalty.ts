/**
 * Returns the energy that a contract with dynamic energy pays in addition to `cost`.
 * @param factor energy factor in units of 1/10000
 */
export function penaltyOf(cost: number, factor: number): number {
  return factor > 10_000 ? Math.max(0, Math.floor((cost * factor) / 10_000) - cost) : 0;
}
