/** Number of SUN, the smallest unit, per TRX. */
export const SUN_PER_TRX = 1_000_000n;
export const SECOND_MS = 1000;
/**
 * A day in ms. Freeze durations and unfreeze delays are whole days. Reference: Parameter.ChainConstant.FROZEN_PERIOD.
 */
export const DAY_MS = 86_400_000n;
/** Size of an EVM word in bytes. Storage slots, topics and ABI arguments have this size. */
export const WORD_BYTES = 32;
/** Size of a function selector in call data, in bytes. */
export const SELECTOR_BYTES = 4;
/** Maximum delay of a Node timer, in ms. */
export const TIMER_MS_MAX = 2 ** 31 - 1;
