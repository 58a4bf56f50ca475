import type { CreateSmartContract, TransactionInfo, TriggerSmartContract } from '../../../codec/generated/messages.js';
import { toHex } from '../../../primitives/bytes.js';
import { balanceKey } from './balance-changes.js';
import { addInternalMovements } from './internal-movements.js';
import { TRX, type TransactionMovements } from './movement.js';
import type { OpenBlock } from './open-block.js';

export function addCall(
  { ownerAddress, contractAddress, callValue, callTokenValue, tokenId }: TriggerSmartContract,
  _receipt: TransactionInfo,
  movements: TransactionMovements,
  block: OpenBlock,
): void {
  addValue(movements, block, ownerAddress, contractAddress, { callValue, callTokenValue, tokenId });
  addInternalMovements(movements);
}

export function addDeployment(
  { ownerAddress, newContract, callTokenValue, tokenId }: CreateSmartContract,
  { contractAddress }: TransactionInfo,
  movements: TransactionMovements,
  block: OpenBlock,
): void {
  const callValue = newContract?.callValue ?? 0n;
  addValue(movements, block, ownerAddress, contractAddress, { callValue, callTokenValue, tokenId });
  addInternalMovements(movements);
}

function addValue(
  movements: TransactionMovements,
  { facts }: OpenBlock,
  from: Uint8Array,
  to: Uint8Array,
  { callValue, callTokenValue, tokenId }: { callValue: bigint; callTokenValue: bigint; tokenId: bigint },
): void {
  movements.add('call', TRX, from, to, callValue);
  const token = String(tokenId);
  // Before proposal 18, smart contracts receive no assets, and the token of a call is ignored. A call with a token then
  // has no internal transaction and changes no balance of the token.
  const isIgnored =
    movements.transaction.internal.length === 0 &&
    ![from, to].some((account) => facts.balances.has(balanceKey(toHex(account), token)));
  if (!isIgnored) movements.add('call', token, from, to, callTokenValue);
}
