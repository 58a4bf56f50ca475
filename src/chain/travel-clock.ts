import type { Clock } from './clock.js';

/**
 * A clock that one thread can set forward and back while other threads read it. The threads share its offset from the
 * base clock.
 */
export interface TravelClock extends Clock {
  /** Offset from the base clock in ms, as one signed 64-bit integer. */
  readonly shift: SharedArrayBuffer;
  /** Sets the clock to a time in ms since 1970. */
  travelTo(timeMs: number): void;
}

export function createTravelClock(base: Clock): TravelClock {
  const shift = new SharedArrayBuffer(8);
  const now = (): number => base.now() + readShift(shift);
  return {
    shift,
    now,
    monotonicMs: () => base.monotonicMs(),
    untilMs: (timeMs) => base.untilMs(timeMs - readShift(shift)),
    travelTo: (timeMs) => {
      Atomics.store(new BigInt64Array(shift), 0, BigInt(timeMs - base.now()));
    },
  };
}

/** Returns the shared offset, in ms. */
export function readShift(shift: SharedArrayBuffer): number {
  return Number(Atomics.load(new BigInt64Array(shift), 0));
}

export function isTravelClock(clock: Clock): clock is TravelClock {
  return 'shift' in clock;
}
