import type { ParticipateAssetIssueContract } from '../../../codec/generated/messages.js';
import { toJavaText } from '../../../java-compat/text.js';
import { isAddress, toAddress } from '../../../primitives/address.js';
import { equalBytes, toHex } from '../../../primitives/bytes.js';
import { addExact, floorDiv, mulExact, subExact } from '../../../primitives/int64.js';
import { ContractExeError, refuse } from '../../errors.js';
import type { State } from '../../state/state.js';
import type { ContractHandler } from '../contract-handler.js';
import { failOnOverflow, refuseOverflow } from '../overflow.js';
import { addAsset, assetIssueRows, hasAssetAmount, reduceAsset } from './asset-balance.js';

/** Buys an asset from its issuer at its issue price. Reference: ParticipateAssetIssueActuator. */
export const participateAssetIssue: ContractHandler<ParticipateAssetIssueContract> = {
  fee: () => 0n,
  validate,
  execute,
};

function validate(contract: ParticipateAssetIssueContract, state: State): void {
  const { ownerAddress, toAddress: to, amount } = contract;
  const { addressPrefix } = state.rules;
  if (!isAddress(ownerAddress, addressPrefix)) refuse('Invalid ownerAddress');
  if (!isAddress(to, addressPrefix)) refuse('Invalid toAddress');
  if (amount <= 0n) refuse('Amount must greater than 0!');
  if (equalBytes(ownerAddress, to)) refuse('Cannot participate asset Issue yourself !');
  const owner = state.account(toAddress(ownerAddress)) ?? refuse('Account does not exist!');
  if (owner.balance < amount) refuse('No enough balance !');
  refuseOverflow(() => validateIssue(contract, state));
}

function validateIssue({ toAddress: to, assetName, amount }: ParticipateAssetIssueContract, state: State): void {
  // java-tron's text contains `null` for an empty name.
  const name = assetName.length === 0 ? 'null' : toJavaText(assetName);
  const asset = assetIssueRows(state).get(toHex(assetName)) ?? refuse(`No asset named ${name}`);
  if (!equalBytes(to, asset.ownerAddress)) refuse(`The asset is not issued by ${toHex(to)}`);
  const now = state.properties.get('latest_block_header_timestamp');
  if (now >= asset.endTime || now < asset.startTime) refuse('No longer valid period!');
  const bought = boughtAmount(amount, asset);
  if (bought <= 0n) refuse('Can not process the exchange!');
  const issuer = state.account(toAddress(to)) ?? refuse('To account does not exist!');
  if (!hasAssetAmount(state, issuer, assetName, bought)) refuse('Asset balance is not enough !');
}

function execute(
  { ownerAddress, toAddress: to, assetName, amount }: ParticipateAssetIssueContract,
  state: State,
): void {
  const [owner, issuer] = [toAddress(ownerAddress), toAddress(to)];
  failOnOverflow(() => {
    const buyerAccount = state.existingAccountToWrite(owner);
    const issuerAccount = state.existingAccountToWrite(issuer);
    buyerAccount.balance = subExact(buyerAccount.balance, amount);
    const bought = boughtAmount(amount, assetIssueRows(state).existing(toHex(assetName)));
    addAsset(state, owner, buyerAccount, assetName, bought);
    issuerAccount.balance = addExact(issuerAccount.balance, amount);
    if (!reduceAsset(state, issuer, issuerAccount, assetName, bought)) {
      throw new ContractExeError('reduceAssetAmount failed !');
    }
    state.saveAccount(owner, buyerAccount);
    state.saveAccount(issuer, issuerAccount);
  });
}

/** Returns the token amount that an amount of SUN buys. @throws {ArithmeticError} the product exceeds 64 bits */
function boughtAmount(amount: bigint, { num, trxNum }: { readonly num: number; readonly trxNum: number }): bigint {
  return floorDiv(mulExact(amount, BigInt(num)), BigInt(trxNum));
}
