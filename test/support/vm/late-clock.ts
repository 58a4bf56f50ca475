/**
 * Returns a clock that is 0 at the first call, when a program gets its time limit, and one minute later at every
 * further call.
 */
export function lateClock(): () => number {
  let looks = 0;
  return () => (looks++ === 0 ? 0 : 60_000);
}
