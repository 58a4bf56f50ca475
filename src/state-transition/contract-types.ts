import type { TransactionContractContractType as ContractType } from '../codec/generated/messages.js';

/** Contract types of the protobuf schema that no release executes. */
type UnexecutedTypeName = 'VoteAssetContract' | 'CustomContract' | 'GetContract';

/** Name of an executable contract type, as in `Transaction.Contract.ContractType`. */
export type ContractTypeName = Exclude<keyof typeof ContractType, UnexecutedTypeName>;
