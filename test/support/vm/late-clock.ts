/** A clock that is at 0 when a program gets its time, and a minute later whenever it is looked at again. */
export function lateClock(): () => number {
  let looks = 0;
  return () => (looks++ === 0 ? 0 : 60_000);
}
