import {
  type CancelAllUnfreezeV2Contract,
  TransactionContractContractType as ContractType,
  type DelegateResourceContract,
  type FreezeBalanceV2Contract,
  type TransactionContract,
  type TransactionInfo,
  type UnDelegateResourceContract,
  type UnfreezeBalanceContract,
  type UnfreezeBalanceV2Contract,
  type WithdrawExpireUnfreezeContract,
} from '../../../codec/generated/messages.js';
import { addressText } from '../../../content/address-text.js';
import { decodeParameter } from '../../../vm/transactions/decode-transaction.js';
import type { EventMap } from '../event-value.js';

/** Who a contract concerns, as payloads name them. */
export interface Parties {
  readonly from: string | null;
  readonly to: string | null;
  readonly assetName: string | null;
  readonly amount: bigint;
  readonly callValue: bigint;
}

/** Who a stake contract concerns, and how much of what. */
interface Stake {
  readonly owner: Uint8Array;
  readonly receiver?: Uint8Array;
  /** SUN. */
  readonly amount: bigint;
}

type ReadStake = (parameter: object, info: TransactionInfo | undefined) => Stake;

/** Amounts that the contract does not name come from the receipt. Reference: TransactionLogTriggerCapsule. */
const stakes: ReadonlyMap<number, ReadStake> = new Map<number, ReadStake>([
  [
    ContractType.UnfreezeBalanceContract,
    (parameter, info) => {
      const { ownerAddress: owner, receiverAddress: receiver } = parameter as UnfreezeBalanceContract;
      return { owner, receiver, amount: info?.unfreezeAmount ?? 0n };
    },
  ],
  [
    ContractType.FreezeBalanceV2Contract,
    (parameter) => {
      const { ownerAddress: owner, frozenBalance: amount } = parameter as FreezeBalanceV2Contract;
      return { owner, amount };
    },
  ],
  [
    ContractType.UnfreezeBalanceV2Contract,
    (parameter) => {
      const { ownerAddress: owner, unfreezeBalance: amount } = parameter as UnfreezeBalanceV2Contract;
      return { owner, amount };
    },
  ],
  [
    ContractType.WithdrawExpireUnfreezeContract,
    (parameter, info) => {
      const { ownerAddress: owner } = parameter as WithdrawExpireUnfreezeContract;
      return { owner, amount: info?.withdrawExpireAmount ?? 0n };
    },
  ],
  [
    ContractType.DelegateResourceContract,
    (parameter) => {
      const { ownerAddress: owner, receiverAddress: receiver, balance: amount } = parameter as DelegateResourceContract;
      return { owner, receiver, amount };
    },
  ],
  [
    ContractType.UnDelegateResourceContract,
    (parameter) => {
      const {
        ownerAddress: owner,
        receiverAddress: receiver,
        balance: amount,
      } = parameter as UnDelegateResourceContract;
      return { owner, receiver, amount };
    },
  ],
  [
    ContractType.CancelAllUnfreezeV2Contract,
    (parameter) => ({ owner: (parameter as CancelAllUnfreezeV2Contract).ownerAddress, amount: 0n }),
  ],
]);

/** Undefined for other contracts, and for a parameter that cannot be read. */
export function stakePartiesOf(
  contract: TransactionContract | undefined,
  info: TransactionInfo | undefined,
): Parties | undefined {
  const read = contract === undefined ? undefined : stakes.get(contract.type);
  if (contract === undefined || read === undefined) return undefined;
  const parameter = decodeParameter(contract);
  if (parameter === undefined) return undefined;
  const { owner, receiver, amount } = read(parameter, info);
  const to = receiver === undefined || receiver.length === 0 ? null : addressText(receiver);
  return { from: addressText(owner), to, assetName: 'trx', amount, callValue: 0n };
}

/** What was taken back of each resource; `null` for all but one contract. */
export function extMapOf(type: number, info: TransactionInfo | undefined): EventMap | null {
  if (type !== ContractType.CancelAllUnfreezeV2Contract || info === undefined) return null;
  return new Map(info.cancelUnfreezeV2Amount);
}
