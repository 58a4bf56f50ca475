import type { UpdateBrokerageContract } from '../../../codec/generated/messages.js';
import { isAddress, toAddress } from '../../../primitives/address.js';
import { refuse } from '../../errors.js';
import { setBrokerage } from '../../rewards/rewards.js';
import type { State } from '../../state/state.js';
import type { ContractHandler } from '../contract-handler.js';

/** Sets the percentage of the reward that a witness keeps. Reference: UpdateBrokerageActuator. */
export const updateBrokerage: ContractHandler<UpdateBrokerageContract> = {
  fee: () => 0n,
  validate,
  execute: ({ ownerAddress, brokerage }, state) => {
    setBrokerage(state, toAddress(ownerAddress), BigInt(brokerage));
  },
};

function validate({ ownerAddress, brokerage }: UpdateBrokerageContract, state: State): void {
  if (!isAddress(ownerAddress, state.rules.addressPrefix)) refuse('Invalid ownerAddress');
  if (brokerage < 0 || brokerage > 100) refuse('Invalid brokerage');
  const owner = toAddress(ownerAddress);
  if (!state.witnesses.has(owner)) refuse(`Not existed witness:${owner}`);
  if (!state.accounts.has(owner)) refuse('Account does not exist');
}
