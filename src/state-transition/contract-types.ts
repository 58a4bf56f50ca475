import type { TransactionContractContractType as ContractType } from '../codec/generated/messages.js';

/** Types of the schema that no release executes. */
type UnexecutedTypeName = 'VoteAssetContract' | 'CustomContract' | 'GetContract';

/** A contract type that the network executes, by its name in `Transaction.Contract.ContractType`. */
export type ContractTypeName = Exclude<keyof typeof ContractType, UnexecutedTypeName>;
