import type { AssetIssueContract, UpdateAssetContract } from '../../../codec/generated/messages.js';
import { isAddress, toAddress } from '../../../primitives/address.js';
import { toHex } from '../../../primitives/bytes.js';
import { isNamedTokens } from '../../balances/tokens.js';
import { refuse, unchecked } from '../../errors.js';
import type { State } from '../../state/state.js';
import { isAssetDescription, isUrl } from '../byte-rules.js';
import type { ContractHandler } from '../contract-handler.js';

/** Changes the texts and bandwidth limits of an issued asset. Reference: UpdateAssetActuator. */
export const updateAsset: ContractHandler<UpdateAssetContract> = {
  fee: () => 0n,
  validate,
  execute,
};

function validate(contract: UpdateAssetContract, state: State): void {
  const { ownerAddress, url, description, newLimit, newPublicLimit } = contract;
  if (!isAddress(ownerAddress, state.rules.addressPrefix)) refuse('Invalid ownerAddress');
  const account = state.account(toAddress(ownerAddress)) ?? refuse('Account does not exist');
  const isNamed = isNamedTokens(state);
  const issued = isNamed ? account.assetIssuedName : account.assetIssuedID;
  if (issued.length === 0) refuse('Account has not issued any asset');
  if (!(isNamed ? state.assets : state.assetsV2).has(toHex(issued))) {
    refuse(`Asset is not existed in ${isNamed ? 'AssetIssueStore' : 'AssetIssueV2Store'}`);
  }
  if (!isUrl(url)) refuse('Invalid url');
  if (!isAssetDescription(description)) refuse('Invalid description');
  const dayLimit = state.properties.get('ONE_DAY_NET_LIMIT');
  if (newLimit < 0n || newLimit >= dayLimit) refuse('Invalid FreeAssetNetLimit');
  if (newPublicLimit < 0n || newPublicLimit >= dayLimit) refuse('Invalid PublicFreeAssetNetLimit');
}

function execute(contract: UpdateAssetContract, state: State): void {
  const { assetIssuedID, assetIssuedName } = state.existingAccount(toAddress(contract.ownerAddress));
  change(state.assetsV2.toWrite(toHex(assetIssuedID)), contract);
  if (isNamedTokens(state)) change(state.assets.toWrite(toHex(assetIssuedName)), contract);
}

function change(asset: AssetIssueContract | undefined, contract: UpdateAssetContract): void {
  if (asset === undefined) throw unchecked('NullPointerException');
  asset.freeAssetNetLimit = contract.newLimit;
  asset.publicFreeAssetNetLimit = contract.newPublicLimit;
  asset.url = contract.url;
  asset.description = contract.description;
}
