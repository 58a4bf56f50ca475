import type { AddressRatesOptions } from '../address-rates.js';
import type { CallRate, CallRatesByAddress } from '../limit-state.js';
import { reservePermit } from '../smooth-rate.js';

/** Identity and settings of a rate in shared memory. */
interface NamedRate {
  /** Name of the limit. For the rate of an address, the name includes the address. */
  readonly name: string;
  /** Permits per second. */
  readonly perSecond: number;
  /** Time from which unused permits of a new rate are stored. If undefined, this is the time of its first call. */
  readonly sinceMs?: number;
  /** Time in ms after the first call at which the rate expires. A later call starts a new rate. */
  readonly lifeMs: number;
}

/**
 * Maximum number of rates in all limits together. java-tron caches 10,000 addresses for the limit of all calls, and
 * 10,000 for each limit by address.
 */
const SLOTS = 16_384;
/**
 * Number of consecutive slots in which a rate can be. If other rates use all these slots, the least recently used of
 * these rates is replaced.
 */
const PROBES = 8;
/**
 * Number of fields of a slot. They are: hash of the name, stored permits, time of the next permit, of the first call,
 * and of the newest call.
 */
const FIELDS = 5;
/** Number of bytes before the slots. These bytes contain the lock and the seed of the hash. */
const HEAD_BYTES = 8;
const BYTES = HEAD_BYTES + SLOTS * FIELDS * Float64Array.BYTES_PER_ELEMENT;
/** Number of attempts to take the lock without a pause. A thread uses the lock for about a microsecond. */
const SPINS = 1_000;
const SLEEP_MS = 1;
/**
 * Number of sleeps after which a thread takes the lock even if it is not free, because the thread that locked it was
 * probably terminated.
 */
const SLEEPS_MAX = 1_000;
/** States of the lock. `AWAITED` means that the lock is taken, and that a thread sleeps until the lock is free. */
const [FREE, LOCKED, AWAITED] = [0, 1, 2];

/** Rates of calls in memory that several threads share. */
export class SharedRates {
  private readonly head: Int32Array;
  private readonly slots: Float64Array;

  constructor(buffer: SharedArrayBuffer) {
    this.head = new Int32Array(buffer, 0, 2);
    this.slots = new Float64Array(buffer, HEAD_BYTES);
  }

  static createBuffer(seed: number): SharedArrayBuffer {
    const buffer = new SharedArrayBuffer(BYTES);
    new Int32Array(buffer, 0, 2)[1] = seed;
    return buffer;
  }

  rate(name: string, perSecond: number, sinceMs: number): CallRate {
    const rate: NamedRate = { name, perSecond, sinceMs, lifeMs: Number.POSITIVE_INFINITY };
    return {
      reserve: (now) => this.reserve(rate, now, Number.POSITIVE_INFINITY),
      tryReserve: (now) => this.reserve(rate, now, 0) === 0,
    };
  }

  addressRates(name: string, options: AddressRatesOptions): CallRatesByAddress {
    const rateOf = (address: string): NamedRate => ({ ...options, name: `${name} ${address}` });
    return {
      reserve: (address, now) => this.reserve(rateOf(address), now, Number.POSITIVE_INFINITY),
      tryReserve: (address, now) => this.reserve(rateOf(address), now, 0) === 0,
    };
  }

  /**
   * Takes a permit if the wait for it is at most `waitMsMax`.
   * @returns the wait in ms. A result above `waitMsMax` means that no permit was taken.
   */
  private reserve(rate: NamedRate, nowMs: number, waitMsMax: number): number {
    const hash = this.hash(rate.name);
    const { slots } = this;
    this.lock();
    try {
      const at = this.slotOf(hash, rate, nowMs);
      // Another thread may have read the clock later, but taken the lock earlier. Time must not go backwards then.
      const now = Math.max(nowMs, slots[at + 4] as number);
      slots[at + 4] = now;
      const state = { stored: slots[at + 1] as number, nextMs: slots[at + 2] as number };
      if (state.nextMs - now > waitMsMax) return state.nextMs - now;
      const waitMs = reservePermit(state, rate.perSecond, now);
      slots[at + 1] = state.stored;
      slots[at + 2] = state.nextMs;
      return waitMs;
    } finally {
      if (Atomics.exchange(this.head, 0, FREE) === AWAITED) Atomics.notify(this.head, 0, 1);
    }
  }

  /**
   * Returns the index in `slots` at which the rate with this hash starts. If the rate is new or expired, first
   * initializes its slot.
   */
  private slotOf(hash: number, { sinceMs, lifeMs }: NamedRate, nowMs: number): number {
    const { slots } = this;
    let oldest = -1;
    for (let probe = 0; probe < PROBES; probe++) {
      const at = ((hash + probe) % SLOTS) * FIELDS;
      if (slots[at] === hash) {
        if (nowMs - (slots[at + 3] as number) < lifeMs) return at;
        oldest = at;
        break;
      }
      if (oldest < 0 || (slots[at + 4] as number) < (slots[oldest + 4] as number)) oldest = at;
    }
    slots[oldest] = hash;
    slots[oldest + 1] = 0;
    slots[oldest + 2] = sinceMs ?? nowMs;
    slots[oldest + 3] = nowMs;
    slots[oldest + 4] = nowMs;
    return oldest;
  }

  /**
   * Returns a hash of 52 bits, which is never 0. Without the seed, clients could choose addresses with equal hashes.
   */
  private hash(text: string): number {
    let high = this.head[1] as number;
    let low = ~high;
    for (let at = 0; at < text.length; at++) {
      const unit = text.charCodeAt(at);
      high = Math.imul(high ^ unit, 0x85ebca6b) ^ (high >>> 13);
      low = Math.imul(low ^ unit, 0xc2b2ae35) ^ (low >>> 16);
    }
    return (high >>> 12) * 2 ** 32 + (low >>> 0) + 1;
  }

  private lock(): void {
    const { head } = this;
    for (let spins = 0; spins < SPINS; spins++) if (Atomics.compareExchange(head, 0, FREE, LOCKED) === FREE) return;
    for (let sleeps = 0; sleeps < SLEEPS_MAX; sleeps++) {
      if (Atomics.exchange(head, 0, AWAITED) === FREE) return;
      Atomics.wait(head, 0, AWAITED, SLEEP_MS);
    }
  }
}
