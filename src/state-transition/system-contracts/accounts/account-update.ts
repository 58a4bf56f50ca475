import type { AccountUpdateContract } from '../../../codec/generated/messages.js';
import { isAddress, toAddress } from '../../../primitives/address.js';
import { toHex } from '../../../primitives/bytes.js';
import { refuse } from '../../errors.js';
import type { State } from '../../state/state.js';
import { isAccountName } from '../byte-rules.js';
import type { ContractHandler } from '../contract-handler.js';

/** Sets the name of an account. Reference: UpdateAccountActuator. */
export const accountUpdate: ContractHandler<AccountUpdateContract> = {
  fee: () => 0n,
  validate,
  execute: ({ ownerAddress, accountName }, state) => {
    state.existingAccountToWrite(toAddress(ownerAddress)).accountName = accountName;
    state.accountIndex.put(toHex(accountName), ownerAddress);
  },
};

function validate({ ownerAddress, accountName }: AccountUpdateContract, state: State): void {
  if (!isAccountName(accountName)) refuse('Invalid accountName');
  if (!isAddress(ownerAddress, state.rules.addressPrefix)) refuse('Invalid ownerAddress');
  const account = state.account(toAddress(ownerAddress)) ?? refuse('Account does not exist');
  if (state.properties.get('ALLOW_UPDATE_ACCOUNT_NAME') !== 0n) return;
  if (account.accountName.length > 0) refuse('This account name is already existed');
  if (state.accountIndex.has(toHex(accountName))) refuse('This name is existed');
}
