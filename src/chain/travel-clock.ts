import type { Clock } from './clock.js';

/**
 * A clock that can be set on and back while threads read it: what it is off another one, in ms, is shared with them.
 */
export interface TravelClock extends Clock {
  /** One signed 64-bit integer, ms. */
  readonly shift: SharedArrayBuffer;
  /** Shows a time from now on, ms since 1970. */
  travelTo(timeMs: number): void;
}

export function createTravelClock(base: Clock): TravelClock {
  const shift = new SharedArrayBuffer(8);
  const now = (): number => base.now() + readShift(shift);
  return {
    speed: base.speed,
    shift,
    now,
    untilMs: (timeMs) => base.untilMs(timeMs - readShift(shift)),
    travelTo: (timeMs) => {
      Atomics.store(new BigInt64Array(shift), 0, BigInt(timeMs - base.now()));
    },
  };
}

/** ms. */
export function readShift(shift: SharedArrayBuffer): number {
  return Number(Atomics.load(new BigInt64Array(shift), 0));
}

export function isTravelClock(clock: Clock): clock is TravelClock {
  return 'shift' in clock;
}
