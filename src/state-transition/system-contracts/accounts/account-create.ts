import { type AccountCreateContract, AccountType } from '../../../codec/generated/messages.js';
import { isAddress, toAddress } from '../../../primitives/address.js';
import { adjustBalance, burn } from '../../balances/balances.js';
import { refuse, unchecked } from '../../errors.js';
import type { State } from '../../state/state.js';
import type { ContractHandler } from '../contract-handler.js';
import { failWhenShort } from '../overflow.js';
import { createAccount } from './create-account.js';

/** Creates an account without a transfer. Reference: CreateAccountActuator. */
export const accountCreate: ContractHandler<AccountCreateContract> = {
  fee: createFee,
  validate,
  execute,
};

const TYPES: ReadonlySet<number> = new Set(Object.values(AccountType));

function createFee(state: State): bigint {
  return state.properties.get('CREATE_NEW_ACCOUNT_FEE_IN_SYSTEM_CONTRACT');
}

function validate({ ownerAddress, accountAddress }: AccountCreateContract, state: State): void {
  const { addressPrefix } = state.rules;
  if (!isAddress(ownerAddress, addressPrefix)) refuse('Invalid ownerAddress');
  const owner = toAddress(ownerAddress);
  const account = state.account(owner) ?? refuse(`Account[${owner}] not exists`);
  if (account.balance < createFee(state)) refuse('Validate CreateAccountActuator error, insufficient fee.');
  if (!isAddress(accountAddress, addressPrefix)) refuse('Invalid account address');
  if (state.accounts.has(toAddress(accountAddress))) refuse('Account has existed');
}

function execute({ ownerAddress, accountAddress, type }: AccountCreateContract, state: State): void {
  if (!TYPES.has(type)) {
    throw unchecked('IllegalArgumentException', "Can't get the number of an unknown enum value.");
  }
  const fee = createFee(state);
  failWhenShort(() => {
    createAccount(state, toAddress(accountAddress), { type });
    adjustBalance(state, toAddress(ownerAddress), -fee);
    burn(state, fee);
  });
}
