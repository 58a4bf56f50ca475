import type { TransactionInfo } from '../../codec/generated/messages.js';
import type { services } from '../../codec/generated/services.js';
import type { Parties } from './contract-parties.js';
import type { ValueSource } from './contract-values.js';
import type { WrongType } from './wrong-type.js';

/**
 * Representation of a contract type in the HTTP, gRPC and JSON-RPC APIs and in events. The fields for these APIs are
 * mandatory, so that a new contract type cannot omit one.
 */
export interface ContractInterface<C extends object = object> {
  /**
   * HTTP handler that builds a transaction of this type; `none` if there is no such handler. `deploycontract` and
   * `triggersmartcontract` have their own handlers.
   */
  readonly http: BuilderPath | 'none';
  /** gRPC methods that build a transaction of this type; `none` if there are no such methods. */
  readonly rpc: BuilderMethods | 'none';
  /**
   * Returns the receiver for JSON-RPC and GraphQL; empty for types without a receiver. Reference: JsonRpcApiUtil.getTo.
   */
  recipient(contract: C): Uint8Array;
  /**
   * Returns the value for JSON-RPC, in SUN or in units of the transferred token. Reference:
   * JsonRpcApiUtil.getTransactionAmount.
   */
  value(contract: C, source: ValueSource): bigint;
  /**
   * Returns sender, recipient, asset and amount for events, histories and GraphQL. Contract types without a sender or
   * receiver to report use `unnamed`, which returns undefined. An amount that the contract does not contain is read
   * from the receipt `info`. The receipt is undefined for a transaction outside of a block. Reference:
   * TransactionLogTriggerCapsule.
   */
  parties(contract: C, info: TransactionInfo | undefined): Parties | undefined;
  /**
   * Returns the error text for a parameter whose message type does not match the contract type. Undefined for smart
   * contract types, whose parameter is decoded only at execution.
   */
  readonly wrongType?: WrongType;
  /**
   * True if the node checks that a proposal has enabled the contract type before it checks the type of the parameter.
   * By default, the order is reversed.
   */
  readonly needsFirst?: true;
}

/** HTTP handler that builds a transaction. Its request has the fields of the contract's message. */
export interface BuilderPath {
  /** Last segment of the path. */
  readonly path: string;
  /** Name of java-tron's servlet, without the suffix `Servlet`. */
  readonly family: string;
  /** True if GET is accepted. As in java-tron, the answer to GET has an empty body. */
  readonly hasGet?: true;
  /** True if the request may contain `extra_data`. */
  readonly takesData?: true;
  /** True if the handler ignores form bodies, because java-tron's servlet does not use PostParams. */
  readonly ignoresForms?: true;
}

type WalletRpc = keyof (typeof services)['Wallet'];

interface BuilderMethods {
  /** gRPC method that returns only the transaction. The transaction is empty if validation fails. */
  readonly bare?: WalletRpc;
  /** gRPC method that creates the same transaction and also returns the validation error. */
  readonly full?: WalletRpc;
}
