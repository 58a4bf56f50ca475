/**
 * Returns a clock that shows 0 at the first call, when a program gets its time limit. At every later call it shows one
 * minute.
 */
export function lateClock(): () => number {
  let calls = 0;
  return () => (calls++ === 0 ? 0 : 60_000);
}
