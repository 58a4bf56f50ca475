import { TronError } from '../primitives/errors.js';

/** Control command for a private network, used by test suites. Times are in ms. */
export type ControlCall =
  | { readonly kind: 'snapshot' }
  | { readonly kind: 'revert'; readonly id: number }
  | { readonly kind: 'mine'; readonly blocks: number; readonly timeMs?: number | undefined }
  | { readonly kind: 'increaseTime'; readonly ms: number }
  | { readonly kind: 'setNextTime'; readonly timeMs: number }
  | { readonly kind: 'fund'; readonly to: string; readonly trx: number };

/**
 * Result of a command. `snapshot`: id of the snapshot. `revert`: true if the snapshot existed. `mine`: height of the
 * head. `increaseTime`: sum of all increases in ms. `setNextTime`: new time in ms. `fund`: id (hex) of the transaction.
 */
export type ControlResult = number | boolean | string;

/**
 * Runs a command. When the promise resolves, the responses of all interfaces include the effect of the command.
 * Rejects with a ControlError.
 */
export type NetworkControl = (call: ControlCall) => Promise<ControlResult>;

/**
 * Maximum number of blocks that one command produces. Until the command ends, the node responds to no other request.
 */
export const MINED_BLOCKS_MAX = 1_000;
/**
 * Maximum change of the clock per command, in ms (ten years). The longest period in the rules of the chain is one year,
 * so ten years suffice for tests. With this limit, all times stay far below 2^53.
 */
export const TRAVEL_MS_MAX = 10 * 366 * 86_400_000;

/** Maximum amount of TRX per faucet request. It is one thousandth of the faucet's initial balance. */
export const FUND_TRX_MAX = 1_000_000;

/** Thrown if a command is rejected, or if the node does not control its network. */
export class ControlError extends TronError<'CONTROL_REFUSED'> {
  constructor(message: string) {
    super('CONTROL_REFUSED', message);
  }
}

/** Returns the error of a node that does not control its network. */
export function noControl(): ControlError {
  return new ControlError('this node does not control its network; only `tronicle devnet` supports this call');
}
