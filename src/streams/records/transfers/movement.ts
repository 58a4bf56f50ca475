import { toHex } from '../../../primitives/bytes.js';
import type { StreamedTransaction } from '../../follow/block-content.js';
import type { MovementKind } from './kinds.js';

/** Value of `Movement.token` for TRX. */
export const TRX = 'TRX';

/** One movement of TRX or of a token. Addresses are lower-case hex with the prefix byte. */
export interface Movement {
  readonly kind: MovementKind;
  readonly standard: 'TRX' | 'TRC10' | 'TRC20' | 'TRC721' | 'TRC1155';
  /** {@link TRX}, the id of a TRC10 asset, or the address of a token contract. */
  readonly token: string;
  /** Token id within a TRC721 or TRC1155 contract. */
  readonly tokenId?: string | undefined;
  /**
   * Address of the sender; undefined if no account sends the amount, for example new supply or rewards.
   */
  readonly from: string | undefined;
  /** Address of the recipient; undefined if the amount does not go to an account. */
  readonly to: string | undefined;
  /** Amount in SUN, or in the smallest units of the token. Always positive. */
  readonly amount: bigint;
  /**
   * Transaction that caused the movement. Undefined for the initial balances of genesis, and for a difference of
   * unknown cause.
   */
  readonly transaction: StreamedTransaction | undefined;
}

/** A possible movement whose amount is in no receipt. The row changes of the block show if it occurred. */
export interface OpenMovement {
  readonly kind: MovementKind;
  readonly account: string;
  readonly direction: 'in' | 'out';
  /** Token that may move; undefined if TRX and every TRC10 asset may move. */
  readonly token: string | undefined;
  readonly transaction: StreamedTransaction;
}

/**
 * Collects the movements of one transaction. Omits movements from an account to itself. Omits amounts that are not
 * positive, because java-tron ignores negative values of smart contract calls.
 */
export class TransactionMovements {
  readonly transaction: StreamedTransaction;
  readonly found: Movement[] = [];
  readonly open: OpenMovement[] = [];

  constructor(transaction: StreamedTransaction) {
    this.transaction = transaction;
  }

  /** Adds a movement of TRX or of a TRC10 asset. @param token {@link TRX} or the id of the asset */
  add(
    kind: MovementKind,
    token: string,
    from: Uint8Array | undefined,
    to: Uint8Array | undefined,
    amount: bigint,
  ): void {
    const [sender, recipient] = [from && toHex(from), to && toHex(to)];
    if (amount <= 0n || sender === recipient) return;
    const standard = token === TRX ? 'TRX' : 'TRC10';
    const { transaction } = this;
    this.found.push({ kind, standard, token, from: sender, to: recipient, amount, transaction });
  }

  mayMove(kind: MovementKind, direction: OpenMovement['direction'], account: Uint8Array, token?: string): void {
    this.open.push({ kind, account: toHex(account), direction, token, transaction: this.transaction });
  }
}
