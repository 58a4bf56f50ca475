import type { ShieldedTransferContract } from '../../../codec/generated/messages.js';
import { isNamedTokens } from '../../balances/tokens.js';
import { refuse } from '../../errors.js';
import type { ContractHandler } from '../contract-handler.js';

/**
 * Shielded transfer of TRX. It always fails, because the proposal that enables it was removed from the protocol.
 * Reference: ShieldedTransferActuator.
 */
export const shieldedTransfer: ContractHandler<ShieldedTransferContract> = {
  fee: () => 0n,
  validate: (_contract, state) => {
    if (isNamedTokens(state)) {
      refuse('shielded transaction is not allowed before ALLOW_SAME_TOKEN_NAME is opened by the committee');
    }
    refuse('Not support Shielded Transaction, need to be opened by the committee');
  },
  execute: () => {
    refuse('Not support Shielded Transaction, need to be opened by the committee');
  },
};
