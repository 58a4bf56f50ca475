import type { Account } from '../../../codec/generated/messages.js';

/** An account, and the height at which it was read. All nested fields are read at the same height. */
export interface AccountAt {
  readonly height: number;
  readonly address: Uint8Array;
  readonly row: Account;
}
