import { TronError } from '../primitives/errors.js';

/** What a test suite does to its private network. Times are ms. */
export type ControlCall =
  | { readonly kind: 'snapshot' }
  | { readonly kind: 'revert'; readonly id: number }
  | { readonly kind: 'mine'; readonly blocks: number; readonly timeMs?: number | undefined }
  | { readonly kind: 'increaseTime'; readonly ms: number }
  | { readonly kind: 'setNextTime'; readonly timeMs: number }
  | { readonly kind: 'fund'; readonly to: string; readonly trx: number };

/**
 * Id of a snapshot; whether one was there; height of the head; ms that the clock was set on in all; the time that was
 * set; id (hex) of the transaction that funds.
 */
export type ControlResult = number | boolean | string;

/** Gives the network a call; what the APIs answer afterwards shows its effect. Rejects with a ControlError. */
export type NetworkControl = (call: ControlCall) => Promise<ControlResult>;

/** Blocks of one call: each is made while nothing else is served. */
export const MINED_BLOCKS_MAX = 1_000;
/**
 * ms that the clock may be set on by one call: the longest time of the rules is a year, and times stay far below 2^53.
 */
export const TRAVEL_MS_MAX = 10 * 366 * 86_400_000;

/** TRX that the faucet gives at once: a thousandth of what its account begins with. */
export const FUND_TRX_MAX = 1_000_000;

export class ControlError extends TronError<'CONTROL_REFUSED'> {
  constructor(message: string) {
    super('CONTROL_REFUSED', message);
  }
}
