import { AccountType, type TransactionResult, type TransferContract } from '../../../codec/generated/messages.js';
import { isAddress, toAddress } from '../../../primitives/address.js';
import { toHex } from '../../../primitives/bytes.js';
import { ArithmeticError, addExact } from '../../../primitives/int64.js';
import { adjustBalance, BalanceInsufficientError, burn } from '../../balances/balances.js';
import { ContractExeError, refuse } from '../../errors.js';
import type { State } from '../../state/state.js';
import type { ContractHandler } from '../contract-handler.js';
import { createAccount } from './create-account.js';

/** Transfers TRX. Reference: TransferActuator. */
export const transfer: ContractHandler<TransferContract> = {
  fee: () => 0n,
  validate,
  execute,
};

function validate({ ownerAddress, toAddress: to, amount }: TransferContract, state: State): void {
  const { addressPrefix } = state.rules;
  if (!isAddress(ownerAddress, addressPrefix)) refuse('Invalid ownerAddress!');
  if (!isAddress(to, addressPrefix)) refuse('Invalid toAddress!');
  if (toHex(to) === toHex(ownerAddress)) refuse('Cannot transfer TRX to yourself.');
  const owner = state.account(toAddress(ownerAddress)) ?? refuse('Validate TransferContract error, no OwnerAccount.');
  if (amount <= 0n) refuse('Amount must be greater than 0.');
  const receiver = state.account(toAddress(to));
  const fee = receiver === undefined ? state.properties.get('CREATE_NEW_ACCOUNT_FEE_IN_SYSTEM_CONTRACT') : 0n;
  if (receiver?.type === AccountType.Contract) refuseContract(state, receiver.address);
  try {
    if (owner.balance < addExact(amount, fee)) refuse('Validate TransferContract error, balance is not sufficient.');
    if (receiver !== undefined) addExact(receiver.balance, amount);
  } catch (error) {
    if (error instanceof ArithmeticError) refuse(error.message);
    throw error;
  }
}

/**
 * Rejects a transfer to a contract account. Since proposal 35, rejects every such transfer. Without proposal 35, but
 * since proposal 60, rejects only if the contract has version 1 or no contract row.
 */
function refuseContract(state: State, address: Uint8Array): void {
  if (state.properties.isOn('FORBID_TRANSFER_TO_CONTRACT')) refuse('Cannot transfer TRX to a smartContract.');
  if (!state.properties.isOn('ALLOW_TVM_COMPATIBLE_EVM')) return;
  const contract = state.contracts.get(toAddress(address));
  if (contract === undefined) {
    refuse('Account type is Contract, but it is not exist in contract store.');
  }
  if (contract.version === 1) {
    refuse('Cannot transfer TRX to a smartContract which version is one. Instead please use TriggerSmartContract ');
  }
}

function execute(
  { ownerAddress, toAddress: to, amount }: TransferContract,
  state: State,
  result: TransactionResult,
): void {
  const owner = toAddress(ownerAddress);
  const receiver = toAddress(to);
  try {
    let fee = 0n;
    if (!state.accounts.has(receiver)) {
      createAccount(state, receiver);
      fee = state.properties.get('CREATE_NEW_ACCOUNT_FEE_IN_SYSTEM_CONTRACT');
    }
    adjustBalance(state, owner, -addExact(fee, amount));
    burn(state, fee);
    adjustBalance(state, receiver, amount);
    result.fee += fee;
  } catch (error) {
    if (error instanceof BalanceInsufficientError || error instanceof ArithmeticError)
      throw new ContractExeError(error.message);
    throw error;
  }
}
