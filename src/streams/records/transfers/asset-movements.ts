import {
  Account,
  type AssetIssueContract,
  type ParticipateAssetIssueContract,
  type TransactionInfo,
  type TransferAssetContract,
  type UnfreezeAssetContract,
} from '../../../codec/generated/messages.js';
import { toUtf8 } from '../../../primitives/bytes.js';
import { floorDiv } from '../../../primitives/int64.js';
import { TRX, type TransactionMovements } from './movement.js';
import type { OpenBlock } from './open-block.js';

export function addAssetTransfer(
  { ownerAddress, toAddress, assetName, amount }: TransferAssetContract,
  _receipt: TransactionInfo,
  movements: TransactionMovements,
  { facts }: OpenBlock,
): void {
  movements.add('transfer', facts.token(assetName), ownerAddress, toAddress, amount);
}

/** Adds the supply that the issuer receives. The frozen part of the supply is excluded. */
export function addAssetIssue(
  { ownerAddress, totalSupply, frozenSupply }: AssetIssueContract,
  { assetIssueID }: TransactionInfo,
  movements: TransactionMovements,
): void {
  const frozen = frozenSupply.reduce((sum, { frozenAmount }) => sum + frozenAmount, 0n);
  movements.add('asset-issue', assetIssueID, undefined, ownerAddress, totalSupply - frozen);
}

/** Adds the sale of an asset at its issue price: the buyer pays TRX and receives the asset. */
export function addAssetSale(
  { ownerAddress, toAddress, assetName, amount }: ParticipateAssetIssueContract,
  _receipt: TransactionInfo,
  movements: TransactionMovements,
  { facts }: OpenBlock,
): void {
  movements.add('asset-sale', TRX, ownerAddress, toAddress, amount);
  const token = facts.token(assetName);
  const asset = facts.asset(token);
  if (asset === undefined) return;
  const bought = floorDiv(amount * BigInt(asset.num), BigInt(asset.trxNum));
  movements.add('asset-sale', token, toAddress, ownerAddress, bought);
}

/**
 * Adds the unfrozen supply of an issuer. The receipt has no amount, so the amount is the decrease of the frozen supply.
 */
export function addAssetUnfreeze(
  { ownerAddress }: UnfreezeAssetContract,
  _receipt: TransactionInfo,
  movements: TransactionMovements,
  { facts }: OpenBlock,
): void {
  const { before, after } = facts.row('account', ownerAddress) ?? {};
  if (before === undefined || after === undefined) return;
  const [old, now] = [Account.decode(before), Account.decode(after)];
  const token = toUtf8(now.assetIssuedID);
  movements.add('asset-unfreeze', token, undefined, ownerAddress, frozenSupplyOf(old) - frozenSupplyOf(now));
}

function frozenSupplyOf({ frozenSupply }: Account): bigint {
  return frozenSupply.reduce((sum, { frozenBalance }) => sum + frozenBalance, 0n);
}
