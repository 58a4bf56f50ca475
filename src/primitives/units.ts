/** The smallest unit of TRX is a SUN. */
export const SUN_PER_TRX = 1_000_000n;
export const SECOND_MS = 1000;
/** A day, the unit of freeze durations and unfreeze delays. Reference: Parameter.ChainConstant.FROZEN_PERIOD. */
export const DAY_MS = 86_400_000n;
/** Bytes of a word of the machine, and so of a storage slot, a topic, an argument by the ABI. */
export const WORD_BYTES = 32;
/** Bytes that name a function in the data of a call. */
export const SELECTOR_BYTES = 4;
/** The longest time that a timer of Node takes, ms. */
export const TIMER_MS_MAX = 2 ** 31 - 1;
