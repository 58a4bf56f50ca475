import { AccountFrozen, type AssetIssueContract, type TransactionResult } from '../../../codec/generated/messages.js';
import { toJavaText } from '../../../java-compat/text.js';
import { isAddress, toAddress } from '../../../primitives/address.js';
import { toHex, utf8 } from '../../../primitives/bytes.js';
import { wrap64 } from '../../../primitives/int64.js';
import { DAY_MS } from '../../../primitives/units.js';
import { adjustBalance, burn } from '../../balances/balances.js';
import { isNamedTokens, setTokenBalance } from '../../balances/tokens.js';
import { hasPassed } from '../../consensus/fork-versions.js';
import { refuse } from '../../errors.js';
import { VERSION } from '../../parameters/block-versions.js';
import type { State } from '../../state/state.js';
import { isAssetDescription, isAssetName, isUrl } from '../byte-rules.js';
import type { ContractHandler } from '../contract-handler.js';
import { failOnOverflow } from '../overflow.js';

/** Issues a TRC10 asset. Reference: AssetIssueActuator. */
export const assetIssue: ContractHandler<AssetIssueContract> = {
  fee: (state) => state.properties.get('ASSET_ISSUE_FEE'),
  validate,
  execute,
};

const PRECISION_MAX = 6;

function validate(contract: AssetIssueContract, state: State): void {
  if (!isAddress(contract.ownerAddress, state.rules.addressPrefix)) refuse('Invalid ownerAddress');
  validateTexts(contract, state);
  validateTimes(contract, state);
  if (isNamedTokens(state) && state.assets.has(toHex(contract.name))) refuse('Token exists');
  validateAmounts(contract, state);
  validateFrozenSupply(contract, state);
  const account = state.account(toAddress(contract.ownerAddress)) ?? refuse('Account not exists');
  if (account.assetIssuedName.length > 0) refuse('An account can only issue one asset');
  if (account.balance < state.properties.get('ASSET_ISSUE_FEE')) refuse('No enough balance for fee!');
}

function validateTexts({ name, precision, abbr, url, description }: AssetIssueContract, state: State): void {
  if (!isAssetName(name)) refuse('Invalid assetName');
  if (!isNamedTokens(state)) {
    if (toJavaText(name).toLowerCase() === 'trx') refuse("assetName can't be trx");
    if (precision < 0 || precision > PRECISION_MAX) refuse('precision cannot exceed 6');
  }
  if (abbr.length > 0 && !isAssetName(abbr)) refuse('Invalid abbreviation for token');
  if (!isUrl(url)) refuse('Invalid url');
  if (!isAssetDescription(description)) refuse('Invalid description');
}

function validateTimes({ startTime, endTime }: AssetIssueContract, state: State): void {
  if (startTime === 0n) refuse('Start time should be not empty');
  if (endTime === 0n) refuse('End time should be not empty');
  if (endTime <= startTime) refuse('End time should be greater than start time');
  if (startTime <= state.properties.get('latest_block_header_timestamp')) {
    refuse('Start time should be greater than HeadBlockTime');
  }
}

function validateAmounts(contract: AssetIssueContract, { properties }: State): void {
  if (contract.totalSupply <= 0n) refuse('TotalSupply must greater than 0!');
  if (contract.trxNum <= 0) refuse('TrxNum must greater than 0!');
  if (contract.num <= 0) refuse('Num must greater than 0!');
  if (contract.publicFreeAssetNetUsage !== 0n) refuse('PublicFreeAssetNetUsage must be 0!');
  if (BigInt(contract.frozenSupply.length) > properties.get('MAX_FROZEN_SUPPLY_NUMBER')) {
    refuse('Frozen supply list length is too long');
  }
  const dayLimit = properties.get('ONE_DAY_NET_LIMIT');
  const { freeAssetNetLimit, publicFreeAssetNetLimit } = contract;
  if (freeAssetNetLimit < 0n || freeAssetNetLimit >= dayLimit) refuse('Invalid FreeAssetNetLimit');
  if (publicFreeAssetNetLimit < 0n || publicFreeAssetNetLimit >= dayLimit) refuse('Invalid PublicFreeAssetNetLimit');
}

function validateFrozenSupply({ totalSupply, startTime, frozenSupply }: AssetIssueContract, state: State): void {
  const { properties } = state;
  const checksEnd = hasPassed(state, VERSION.V4_8_1);
  const daysMin = properties.get('MIN_FROZEN_SUPPLY_TIME');
  const daysMax = properties.get('MAX_FROZEN_SUPPLY_TIME');
  let left = totalSupply;
  for (const { frozenAmount, frozenDays } of frozenSupply) {
    if (frozenAmount <= 0n) refuse('Frozen supply must be greater than 0!');
    if (frozenAmount > left) refuse('Frozen supply cannot exceed total supply');
    if (frozenDays < daysMin || frozenDays > daysMax) {
      refuse(`frozenDuration must be less than ${daysMax} days and more than ${daysMin} days`);
    }
    // As in java-tron, the product of days and ms per day may wrap. The sum is checked afterwards. `execute` computes
    // the same product.
    const end = startTime + wrap64(frozenDays * DAY_MS);
    if (checksEnd && wrap64(end) !== end) refuse('Start time and frozen days would cause expire time overflow');
    left -= frozenAmount;
  }
}

function execute(contract: AssetIssueContract, state: State, result: TransactionResult): void {
  const owner = toAddress(contract.ownerAddress);
  const id = putAsset(contract, state);
  const fee = state.properties.get('ASSET_ISSUE_FEE');
  failOnOverflow(() => {
    adjustBalance(state, owner, -fee);
    burn(state, fee);
  });
  const account = state.existingAccountToWrite(owner);
  let left = contract.totalSupply;
  for (const { frozenAmount, frozenDays } of contract.frozenSupply) {
    const expireTime = wrap64(contract.startTime + frozenDays * DAY_MS);
    account.frozenSupply.push(Object.assign(new AccountFrozen(), { frozenBalance: frozenAmount, expireTime }));
    left -= frozenAmount;
  }
  if (isNamedTokens(state)) account.asset.set(toJavaText(contract.name), left);
  account.assetIssuedName = contract.name;
  account.assetIssuedID = utf8(id);
  setTokenBalance(state, owner, account, id, left);
  result.assetIssueID = id;
}

/**
 * Stores the asset under a new id. Before `ALLOW_SAME_TOKEN_NAME`, also stores the asset under its name; only this
 * row has the precision, and the row under the id has precision 0.
 */
function putAsset(contract: AssetIssueContract, state: State): string {
  state.properties.add('TOKEN_ID_NUM', 1n);
  const id = state.properties.get('TOKEN_ID_NUM').toString();
  const asset = Object.assign(contract.clone(), { id });
  if (isNamedTokens(state)) {
    state.assets.put(toHex(contract.name), asset.clone());
    asset.precision = 0;
  }
  state.assetsV2.put(toHex(utf8(id)), asset);
  return id;
}
