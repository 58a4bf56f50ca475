import type { TransactionInfo } from '../../../codec/generated/messages.js';
import { TRX, type TransactionMovements } from './movement.js';

interface Owned {
  readonly ownerAddress: Uint8Array;
}

/** Adds stake 1.0 or 2.0. The TRX is subtracted from the owner's balance, even if another account gets the resource. */
export function addStake(
  { ownerAddress, frozenBalance }: Owned & { readonly frozenBalance: bigint },
  _receipt: TransactionInfo,
  movements: TransactionMovements,
): void {
  movements.add('stake', TRX, ownerAddress, undefined, frozenBalance);
}

/** Adds unfrozen stake 1.0, own or delegated. The receipt contains the amount. */
export function addUnstake({ ownerAddress }: Owned, receipt: TransactionInfo, movements: TransactionMovements): void {
  movements.add('unstake', TRX, undefined, ownerAddress, receipt.unfreezeAmount);
}

/**
 * Adds the expired unfreezes that an operation of stake 2.0 pays out. Unfreezing stake and cancelling unfreezes also
 * pay out expired unfreezes.
 */
export function addUnfrozen({ ownerAddress }: Owned, receipt: TransactionInfo, movements: TransactionMovements): void {
  movements.add('unstake', TRX, undefined, ownerAddress, receipt.withdrawExpireAmount);
}

export function addReward({ ownerAddress }: Owned, receipt: TransactionInfo, movements: TransactionMovements): void {
  movements.add('reward', TRX, undefined, ownerAddress, receipt.withdrawAmount);
}
