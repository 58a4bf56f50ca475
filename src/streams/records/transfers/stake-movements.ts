import type { TransactionInfo } from '../../../codec/generated/messages.js';
import { TRX, type TransactionMovements } from './movement.js';

interface Owned {
  readonly ownerAddress: Uint8Array;
}

/** Stake 1.0 and 2.0: the staked TRX is subtracted from the balance, also if the stake is for another account. */
export function addStake(
  { ownerAddress, frozenBalance }: Owned & { readonly frozenBalance: bigint },
  _receipt: TransactionInfo,
  movements: TransactionMovements,
): void {
  movements.add('stake', TRX, ownerAddress, undefined, frozenBalance);
}

/** The receipt contains the TRX of unfrozen stake 1.0, own or delegated. */
export function addUnstake({ ownerAddress }: Owned, receipt: TransactionInfo, movements: TransactionMovements): void {
  movements.add('unstake', TRX, undefined, ownerAddress, receipt.unfreezeAmount);
}

/** Stake 2.0: every operation that unfreezes also pays out earlier unfreezings that have expired. */
export function addUnfrozen({ ownerAddress }: Owned, receipt: TransactionInfo, movements: TransactionMovements): void {
  movements.add('unstake', TRX, undefined, ownerAddress, receipt.withdrawExpireAmount);
}

export function addReward({ ownerAddress }: Owned, receipt: TransactionInfo, movements: TransactionMovements): void {
  movements.add('reward', TRX, undefined, ownerAddress, receipt.withdrawAmount);
}
