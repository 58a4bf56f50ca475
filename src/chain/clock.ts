/** The node's time in ms since 1970; a private network may let it run faster than the machine's. */
export interface Clock {
  /** How many times as fast as the machine's it runs. */
  readonly speed: number;
  now(): number;
  /** Machine ms until the node's clock shows `timeMs`; 0 when it is past. */
  untilMs(timeMs: number): number;
}

export const machineClock: Clock = {
  speed: 1,
  now: Date.now,
  untilMs: (timeMs) => Math.max(0, timeMs - Date.now()),
};

/** A clock that shows `startMs` now and runs `speed` times as fast as the machine's. */
export function createFastClock(startMs: number, speed: number): Clock {
  const started = performance.now();
  const now = (): number => startMs + (performance.now() - started) * speed;
  return { speed, now: () => Math.floor(now()), untilMs: (timeMs) => Math.max(0, (timeMs - now()) / speed) };
}
