import type { TransactionInfo } from '../../codec/generated/messages.js';
import type { services } from '../../codec/generated/services.js';
import type { Parties } from './contract-parties.js';
import type { ValueSource } from './contract-values.js';
import type { WrongType } from './wrong-type.js';

/** How a contract type looks from outside. Every column is said, so that none is forgotten. */
export interface ContractInterface<C extends object = object> {
  /** Handler that builds a transaction of it; HTTP's other forms are `deploycontract` and `triggersmartcontract`. */
  readonly http: BuilderPath | 'none';
  /** Methods that build one over gRPC. */
  readonly rpc: BuilderMethods | 'none';
  /** Whom JSON-RPC and GraphQL name as its receiver; empty: nobody. Reference: JsonRpcApiUtil.getTo. */
  recipient(contract: C): Uint8Array;
  /**
   * What JSON-RPC shows as its value: SUN, or units of what it moves.
   * Reference: JsonRpcApiUtil.getTransactionAmount.
   */
  value(contract: C, source: ValueSource): bigint;
  /**
   * Whom it concerns, as events, histories and GraphQL name them; `unnamed`: nobody, as most types. Amounts that the
   * contract does not name come from the receipt, which a transaction of no block lacks. Reference:
   * TransactionLogTriggerCapsule.
   */
  parties(contract: C, info: TransactionInfo | undefined): Parties | undefined;
  /** Words for a parameter of another type. Absent: a smart contract, whose parameter is looked at when it runs. */
  readonly wrongType?: WrongType;
  /** What the type needs is asked before that, not behind it. */
  readonly needsFirst?: true;
}

/** A handler over HTTP. What it reads follows from the fields of the message. */
export interface BuilderPath {
  /** Last segment. */
  readonly path: string;
  /** Reference: the servlet of this name. */
  readonly family: string;
  /** GET is defined, and answers nothing. */
  readonly hasGet?: true;
  /** The body may carry `extra_data`. */
  readonly takesData?: true;
  /** Its body is not read through PostParams, so that it is no form. */
  readonly ignoresForms?: true;
}

type WalletRpc = keyof (typeof services)['Wallet'];

interface BuilderMethods {
  /** Answers a bare transaction, empty for one that the rules refuse. */
  readonly bare?: WalletRpc;
  /** Says what was wrong. */
  readonly full?: WalletRpc;
}
