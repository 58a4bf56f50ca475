import type { Account } from '../../../codec/generated/messages.js';

/** An account with the height at which it was read. All nested fields use the same height. */
export interface AccountAt {
  readonly height: number;
  readonly address: Uint8Array;
  readonly row: Account;
}
