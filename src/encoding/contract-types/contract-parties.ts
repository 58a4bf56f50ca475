/** Sender, recipient and amount of a transaction. Amounts are in SUN, or in units of the token if a token is named. */
export type Parties = Transfer | Call | Stake;

interface Transfer {
  readonly kind: 'transfer';
  readonly from: Uint8Array;
  readonly to: Uint8Array;
  /** Name or id of the TRC-10 token; undefined for TRX. */
  readonly asset?: string;
  readonly amount: bigint;
}

/** A smart contract call or deployment. */
interface Call {
  readonly kind: 'call';
  readonly from: Uint8Array;
  /** Address of the called contract; undefined for a deployment. */
  readonly to?: Uint8Array;
  readonly callValue: bigint;
  /** TRC-10 token of the call; the amount is 0 if the call transfers no token. Undefined for a deployment. */
  readonly token?: { readonly id: bigint; readonly amount: bigint };
}

/**
 * TRX that is staked, unstaked, delegated or undelegated. Event triggers report such parties only since release 4.8.2
 * (`isLater` in `transaction-trigger.ts`).
 */
interface Stake {
  readonly kind: 'stake';
  readonly from: Uint8Array;
  /** Receiver of a delegation. Without a delegation, it is undefined or has length 0. */
  readonly to?: Uint8Array;
  readonly amount: bigint;
}

/** Returns undefined, for contract types without a sender or receiver to report. */
export function unnamed(): undefined {
  return undefined;
}
