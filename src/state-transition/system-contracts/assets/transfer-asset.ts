import { AccountType, type TransactionResult, type TransferAssetContract } from '../../../codec/generated/messages.js';
import { isAddress, toAddress } from '../../../primitives/address.js';
import { equalBytes, toHex } from '../../../primitives/bytes.js';
import { addExact } from '../../../primitives/int64.js';
import { adjustBalance, burn } from '../../balances/balances.js';
import { ContractExeError, refuse } from '../../errors.js';
import type { State } from '../../state/state.js';
import { createAccount } from '../accounts/create-account.js';
import type { ContractHandler } from '../contract-handler.js';
import { failOnOverflow, refuseOverflow } from '../overflow.js';
import { addAsset, assetBalance, assetIssueRows, reduceAsset } from './asset-balance.js';

/** Transfers a TRC10 amount. Reference: TransferAssetActuator. */
export const transferAsset: ContractHandler<TransferAssetContract> = {
  fee: () => 0n,
  validate,
  execute,
};

function validate({ ownerAddress, toAddress: to, assetName, amount }: TransferAssetContract, state: State): void {
  const { addressPrefix } = state.rules;
  if (!isAddress(ownerAddress, addressPrefix)) refuse('Invalid ownerAddress');
  if (!isAddress(to, addressPrefix)) refuse('Invalid toAddress');
  if (amount <= 0n) refuse('Amount must be greater than 0.');
  if (equalBytes(ownerAddress, to)) refuse('Cannot transfer asset to yourself.');
  const owner = state.account(toAddress(ownerAddress)) ?? refuse('No owner account!');
  if (!assetIssueRows(state).has(toHex(assetName))) refuse('No asset!');
  const balance = assetBalance(state, toAddress(ownerAddress), owner, assetName);
  if (balance <= 0n) refuse('assetBalance must be greater than 0.');
  if (amount > balance) refuse('assetBalance is not sufficient.');
  const receiver = state.account(toAddress(to));
  if (receiver === undefined) {
    const fee = state.properties.get('CREATE_NEW_ACCOUNT_FEE_IN_SYSTEM_CONTRACT');
    if (owner.balance < fee) refuse('Validate TransferAssetActuator error, insufficient fee.');
    return;
  }
  if (state.properties.isOn('FORBID_TRANSFER_TO_CONTRACT') && receiver.type === AccountType.Contract) {
    refuse('Cannot transfer asset to smartContract.');
  }
  refuseOverflow(() => addExact(assetBalance(state, toAddress(to), receiver, assetName), amount));
}

function execute(
  { ownerAddress, toAddress: to, assetName, amount }: TransferAssetContract,
  state: State,
  result: TransactionResult,
): void {
  const owner = toAddress(ownerAddress);
  const receiver = toAddress(to);
  failOnOverflow(() => {
    let fee = 0n;
    if (!state.accounts.has(receiver)) {
      createAccount(state, receiver);
      fee = state.properties.get('CREATE_NEW_ACCOUNT_FEE_IN_SYSTEM_CONTRACT');
    }
    if (!reduceAsset(state, owner, state.existingAccountToWrite(owner), assetName, amount)) {
      throw new ContractExeError('reduceAssetAmount failed !');
    }
    addAsset(state, receiver, state.existingAccountToWrite(receiver), assetName, amount);
    adjustBalance(state, owner, -fee);
    burn(state, fee);
    result.fee += fee;
  });
}
