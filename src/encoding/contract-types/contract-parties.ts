/** Who a transaction concerns, and what went between them. Amounts are SUN where no token is named. */
export type Parties = Transfer | Call | Stake;

interface Transfer {
  readonly kind: 'transfer';
  readonly from: Uint8Array;
  readonly to: Uint8Array;
  /** Name or number of the TRC10 token; absent: TRX. */
  readonly asset?: string;
  readonly amount: bigint;
}

/** A smart contract is called or made. */
interface Call {
  readonly kind: 'call';
  readonly from: Uint8Array;
  /** Absent: the contract is made. */
  readonly to?: Uint8Array;
  readonly callValue: bigint;
  /** What a call brings of a TRC10 token. */
  readonly token?: { readonly id: bigint; readonly amount: bigint };
}

/** TRX is staked, taken back or lent: events of releases that have the later triggers name these too. */
interface Stake {
  readonly kind: 'stake';
  readonly from: Uint8Array;
  /** Empty: nobody. */
  readonly to?: Uint8Array;
  readonly amount: bigint;
}

/** Of types whose transactions name nobody. */
export function unnamed(): undefined {
  return undefined;
}
