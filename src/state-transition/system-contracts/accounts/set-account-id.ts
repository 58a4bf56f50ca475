import type { SetAccountIdContract } from '../../../codec/generated/messages.js';
import { isAddress, toAddress } from '../../../primitives/address.js';
import { toHex, toUtf8, utf8 } from '../../../primitives/bytes.js';
import { refuse } from '../../errors.js';
import type { State } from '../../state/state.js';
import { isAccountId } from '../byte-rules.js';
import type { ContractHandler } from '../contract-handler.js';

/** Sets the id of an account. The id cannot be changed later. Reference: SetAccountIdActuator. */
export const setAccountId: ContractHandler<SetAccountIdContract> = {
  fee: () => 0n,
  validate,
  execute: ({ ownerAddress, accountId }, state) => {
    state.existingAccountToWrite(toAddress(ownerAddress)).accountId = accountId;
    state.accountIdIndex.put(accountIdKey(accountId), ownerAddress);
  },
};

function validate({ ownerAddress, accountId }: SetAccountIdContract, state: State): void {
  if (!isAccountId(accountId)) refuse('Invalid accountId');
  if (!isAddress(ownerAddress, state.rules.addressPrefix)) refuse('Invalid ownerAddress');
  const account = state.account(toAddress(ownerAddress)) ?? refuse('Account has not existed');
  if (account.accountId.length > 0) refuse('This account id already set');
  if (state.accountIdIndex.has(accountIdKey(accountId))) refuse('This id has existed');
}

/**
 * Returns the index key of an account id, which is the id in lower case. Reference:
 * AccountIdIndexStore.getLowerCaseAccountId.
 */
function accountIdKey(id: Uint8Array): string {
  return toHex(utf8(toUtf8(id).toLowerCase()));
}
