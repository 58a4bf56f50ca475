import type { Observable } from 'rxjs';
import type { BlockParts } from '../../codec/block-parts.js';
import type { Transaction } from '../../codec/generated/messages.js';
import type { State } from '../../state-transition/state/state.js';
import type { AnyTable } from '../../state-transition/state/table.js';
import type { DecodedTransaction } from '../../state-transition/transaction.js';
import type { ApiRelease } from '../releases/api-release.js';
import type { RpcLimits } from '../releases/rpc-limits.js';
import type { PortView } from '../servers.js';
import type { CallBudget } from './call-budget.js';
import type { Relay } from './relay.js';

/**
 * Name of a state. The name of a port selects the state that the port reads. `irreversible` is the newest solidified
 * state. `pbft-again` is the state of the PBFT port for a request that selects its state a second time.
 */
export type ViewName = PortView | 'irreversible' | 'pbft-again';

/** An encoded block and its receipts. With `parts`, single transactions can be read without the others. */
export interface StoredBytes {
  readonly block: Uint8Array;
  readonly results: Uint8Array;
  readonly parts?: BlockParts | undefined;
}

/** A consistent state with the blocks that lead to it. Valid until the caller returns to the event loop. */
export interface ChainView {
  readonly state: State;
  /** Height of the newest block of the view. */
  readonly headNumber: number;
  /** Returns an encoded block and its receipts (`TransactionRet`; empty if none). */
  block(number: number): StoredBytes | undefined;
  blockIdAt(number: number): Uint8Array | undefined;
  /** Returns the height of a canonical block, or undefined if it is above the view. */
  numberOf(id: Uint8Array): number | undefined;
  /** Returns the position of a transaction in the blocks of the view. */
  transactionAt(id: Uint8Array): { readonly number: number; readonly index: number } | undefined;
  /**
   * Maximum stored bytes of blocks of an answer on this thread, see `requireSmallAnswer`. Absent: unlimited.
   */
  readonly answerBytesMax?: number | undefined;
  /** Returns a pending transaction. */
  waiting(id: Uint8Array): Transaction | undefined;
  /**
   * Returns the keys (hex) of table rows written by unsolidified blocks and pending transactions, in order of writing.
   * java-tron lists these rows before all others.
   */
  recentKeys(table: AnyTable): Iterable<string>;
  /**
   * Newest block that java-tron would have flushed to disk. java-tron returns some fields of an account differently
   * when it reads the account from disk. Absent: all blocks are flushed.
   */
  readonly flushedNumber?: number;
  /** View from which java-tron lists the rows of a table. Absent: it lists them from this view. */
  readonly listed?: ChainView;
}

/** The mempool: pending transactions. */
interface WaitingTransactions {
  /** Returns all transactions in the order in which they will be packed. Transactions of reverted blocks come last. */
  all(): readonly Transaction[];
  find(idHex: string): Transaction | undefined;
  readonly count: number;
  /** Number of transactions that count for the mempool limit. Excludes transactions of reverted blocks. */
  readonly offered: number;
  /**
   * Emits when the pending transactions change, at most once per turn of the event loop. Late subscribers get no past
   * events.
   */
  readonly changes: Observable<void>;
}

/** Configuration settings that responses depend on. */
export interface ApiSettings {
  readonly release: ApiRelease;
  readonly rpcLimits: RpcLimits;
  /** Chain id of a private network; undefined: the last four bytes of the genesis id. `tronicle.devnet.chainId` */
  readonly chainId: number | undefined;
  /** True for a solidity node, which serves only its solidified state (option `--solidity`). */
  readonly isSolidityNode: boolean;
  /** Number of unsolidified blocks at which broadcasts are rejected. Infinity disables the check. */
  readonly unsolidifiedMax: number;
  /** First byte of addresses. */
  readonly addressPrefix: number;
  /**
   * Maximum request body of a handler, in bytes. `node.rpc.maxMessageSize`, from 4.8.2 on `node.http.maxMessageSize`
   */
  readonly bodyBytesMax: number;
  /** True if new transactions refer to the solidified block instead of the head. `trx.reference.block` */
  readonly refersToSolid: boolean;
  /** Time to live of a new transaction, in ms. `trx.expiration.timeInMilliseconds` */
  readonly expirationMs: bigint;
  readonly supportsConstant: boolean;
  /** Energy limit of a constant call. `vm.maxEnergyLimitForConstant` */
  readonly constantEnergyMax: bigint;
  /** Time limit of a constant call, in ms. 0: the time limit of a transaction. */
  readonly constantCallMs: number;
  readonly estimatesEnergy: boolean;
  readonly estimateRetries: number;
  /** Minimum number of peers in sync for a broadcast. 0 disables the check. `node.rpc.minEffectiveConnection` */
  readonly connectionsMin: number;
  /** True if transaction ids are cached. `node.rpc.trxCacheEnable` */
  readonly remembersIds: boolean;
  /** Maximum number of pending transactions. `node.maxTransactionPendingSize` */
  readonly waitingMax: number;
  /** Enables the shielded transaction API. `node.fullNodeAllowShieldedTransaction` */
  readonly allowsShieldedApi: boolean;
  /** Configuration values that `getnodeinfo` shows. */
  readonly nodeInfo: Readonly<Record<string, bigint | boolean | string | number>>;
}

/** Properties of a connected peer: integers as bigint, floating-point numbers as number, texts. */
export type PeerDetails = Readonly<Record<string, bigint | boolean | number | string>>;

/** Peers and broadcasting. */
export interface PeerLink {
  /** Number of connected peers. */
  readonly active: number;
  /** Number of connected peers that are in sync with this node. */
  readonly inSync: number;
  /** Number of outbound connections among `active`. Absent: 0. */
  readonly dialled?: number;
  /** Connected peers as `getnodeinfo` shows them, members in alphabetical order. */
  readonly details?: readonly PeerDetails[];
  /** Witnesses that produced two blocks at one height, by address (hex), as `getnodeinfo` shows them. */
  readonly cheats?: Readonly<Record<string, string>>;
  /** Discovered nodes, as `listnodes` shows them. */
  readonly nodes?: readonly { readonly host: string; readonly port: number }[];
  /** Broadcasts a transaction. @returns the number of peers that it was sent to */
  broadcast(transaction: Pick<DecodedTransaction, 'idHex' | 'bytes'>): number;
}

/** Interface between the APIs and the node. The operations use nothing else. */
export interface ApiContext {
  readonly settings: ApiSettings;
  readonly waiting: WaitingTransactions;
  readonly peers: PeerLink;
  /** Returns a state. Returns the same object until the state changes, if the source tracks versions. */
  view(name: ViewName): ChainView;
  /**
   * Returns the state after the canonical block at a height, without pending transactions. The head is included.
   * @throws {TronError} HISTORY_NOT_KEPT below `tronicle.history.retention`, HEIGHT_UNKNOWN above the head
   */
  viewAt(height: number): ChainView;
  /** Checks that peers could decode a transaction. @throws {ChainError} peers would reject it */
  checkMessage(transaction: DecodedTransaction): void;
  /**
   * Validates a transaction and adds it to the mempool. The head view shows its effects when the promise resolves.
   * @throws {ChainError} every rejection
   */
  submit(transaction: DecodedTransaction): Promise<void>;
  /** Receives broadcast transactions in a read replica, which has no mempool, before any check. */
  readonly relay?: Relay;
  /** Applies the contract rules to a transaction that is being built. @throws {ContractValidateError} */
  validate(view: ChainView, transaction: Transaction): void;
  /** Returns the current time, in ms since 1970. */
  now(): number;
  /** Time budget of calls on this thread, if a pool exists. Undefined: this thread runs every call to its end. */
  readonly callBudget?: CallBudget | undefined;
  /** Number of unsolidified blocks. All pending transactions together count as one more. */
  readonly openBlocks: number;
  /**
   * Number of states that java-tron would have in memory. `getnodeinfo` reports the head height minus this number as
   * `beginSyncNum`.
   */
  readonly heldStates: number;
}
