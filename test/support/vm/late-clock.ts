/**
 * Returns a clock that shows 0 at its first call, which occurs when a program gets its time limit. At all later
 * calls, the clock shows one minute.
 */
export function lateClock(): () => number {
  let calls = 0;
  return () => (calls++ === 0 ? 0 : 60_000);
}
