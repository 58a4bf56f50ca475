/** Clock of the node, in ms since 1970. In a private network, the clock can be set. */
export interface Clock {
  now(): number;
  /** Returns a monotonic time in ms, for measuring durations. Setting the clock does not change this time. */
  monotonicMs(): number;
  /** Returns the time in ms of real time until this clock shows `timeMs`; 0 if it already does. */
  untilMs(timeMs: number): number;
}

export const machineClock: Clock = {
  now: Date.now,
  monotonicMs: () => performance.now(),
  untilMs: (timeMs) => Math.max(0, timeMs - Date.now()),
};
