/** Clock of the node, in ms since 1970. In a private network it can be set. */
export interface Clock {
  now(): number;
  /** Returns ms for measuring durations. Setting the clock does not change them. */
  monotonicMs(): number;
  /** Returns the machine's ms until this clock shows `timeMs`; 0 if that time is past. */
  untilMs(timeMs: number): number;
}

export const machineClock: Clock = {
  now: Date.now,
  monotonicMs: () => performance.now(),
  untilMs: (timeMs) => Math.max(0, timeMs - Date.now()),
};
