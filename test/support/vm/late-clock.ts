/**
 * Returns a clock that shows 0 at the first call, when a program gets its time limit. At every later call it shows one
 * minute.
 */
export function lateClock(): () => number {
  let looks = 0;
  return () => (looks++ === 0 ? 0 : 60_000);
}
