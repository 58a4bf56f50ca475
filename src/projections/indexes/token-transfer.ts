import { TransactionResultContractResult as ContractResult } from '../../codec/generated/messages.js';
import { type ContractTransfer, tokenTransfers } from '../../encoding/abi/token-events.js';
import { contractParties } from '../../encoding/contract-types/read-contract.js';
import { toHex } from '../../primitives/bytes.js';
import type { StoredTransaction } from '../../state-transition/block/stored-transaction.js';

/** The parts of a transaction from which its transfers are read. */
type TransferParts = Pick<StoredTransaction, 'message' | 'contract' | 'parameter' | 'info' | 'internal'>;

/** A transfer of value between two accounts. `token` is a TRC10 id or a contract address; empty for TRX. */
export interface TokenTransfer extends Omit<ContractTransfer, 'kind'> {
  readonly kind: 'TRX' | 'TRC10' | ContractTransfer['kind'];
}

const DONE: ReadonlySet<number | undefined> = new Set([undefined, ContractResult.DEFAULT, ContractResult.SUCCESS]);

/**
 * Returns the transfers of a transaction: first those of the contract, then of internal transactions, then of events.
 * Returns an empty list for a failed transaction.
 */
export function transfersOf(transaction: TransferParts, addressPrefix: number): TokenTransfer[] {
  if (!DONE.has(transaction.message.ret[0]?.contractRet)) return [];
  return [
    ...ownTransfers(transaction),
    ...internalTransfers(transaction),
    ...tokenTransfers(transaction.info, addressPrefix),
  ];
}

function ownTransfers({ contract, parameter, info }: TransferParts): TokenTransfer[] {
  const parties = contract && contractParties(contract.type, parameter, info);
  if (parties === undefined || parties.kind === 'stake' || parties.to === undefined) return [];
  const { from, to } = parties;
  if (parties.kind === 'transfer') {
    const { asset, amount } = parties;
    return [transfer(asset === undefined ? 'TRX' : 'TRC10', asset ?? '', from, to, amount)];
  }
  const { callValue, token } = parties;
  return [
    ...(callValue > 0n ? [transfer('TRX', '', from, to, callValue)] : []),
    ...(token !== undefined && token.amount > 0n ? [transfer('TRC10', String(token.id), from, to, token.amount)] : []),
  ];
}

function internalTransfers({ internal }: TransferParts): TokenTransfer[] {
  return internal.flatMap(({ rejected, callerAddress, transferToAddress, callValueInfo }) =>
    rejected
      ? []
      : callValueInfo
          .filter(({ callValue }) => callValue > 0n)
          .map(({ callValue, tokenId }) =>
            transfer(tokenId === '' ? 'TRX' : 'TRC10', tokenId, callerAddress, transferToAddress, callValue),
          ),
  );
}

function transfer(
  kind: 'TRX' | 'TRC10',
  token: string,
  from: Uint8Array,
  to: Uint8Array,
  amount: bigint,
): TokenTransfer {
  return { kind, token, from: toHex(from), to: toHex(to), amount: String(amount) };
}
