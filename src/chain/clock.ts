/** Clock of the node, in ms since 1970. In a private network it may run faster than the machine's clock. */
export interface Clock {
  /** Speed relative to the machine's clock. */
  readonly speed: number;
  now(): number;
  /** Returns ms for measuring durations. Setting the clock does not change them, and `speed` does not scale them. */
  monotonicMs(): number;
  /** Returns the machine's ms until this clock shows `timeMs`; 0 if that time is past. */
  untilMs(timeMs: number): number;
}

export const machineClock: Clock = {
  speed: 1,
  now: Date.now,
  monotonicMs: () => performance.now(),
  untilMs: (timeMs) => Math.max(0, timeMs - Date.now()),
};

/** Creates a clock that shows `startMs` now and runs `speed` times as fast as the machine's clock. */
export function createFastClock(startMs: number, speed: number): Clock {
  const started = performance.now();
  const now = (): number => startMs + (performance.now() - started) * speed;
  return {
    speed,
    now: () => Math.floor(now()),
    monotonicMs: machineClock.monotonicMs,
    untilMs: (timeMs) => Math.max(0, (timeMs - now()) / speed),
  };
}
