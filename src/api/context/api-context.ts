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
 * Name of a view. `head`, `solidified` and `pbft` are the states that the servers read (see `PortView`). `irreversible`
 * is the newest solidified state. `pbft-again` is the state for those requests to the PBFT server for which java-tron
 * searches the state twice (see `HttpEndpoint.handsOn`).
 */
export type ViewName = PortView | 'irreversible' | 'pbft-again';

/**
 * An encoded block and its receipts. If `parts` is set, a single transaction can be read without decoding the whole
 * block.
 */
export interface StoredBytes {
  readonly block: Uint8Array;
  readonly results: Uint8Array;
  readonly parts?: BlockParts | undefined;
}

/** A consistent state, and the blocks that lead to it. It is valid until the caller returns to the event loop. */
export interface ChainView {
  readonly state: State;
  /** Height of the newest block of the view. */
  readonly headNumber: number;
  /**
   * Returns an encoded block and its receipts (`TransactionRet`; empty if the block is stored without receipts).
   * Returns undefined if the view has no such block.
   */
  block(number: number): StoredBytes | undefined;
  blockIdAt(number: number): Uint8Array | undefined;
  /** Returns the height of a canonical block; undefined if no block up to the head of the view has the id. */
  numberOf(id: Uint8Array): number | undefined;
  /**
   * Returns the position of a transaction in the blocks of the view; undefined if these blocks do not contain the
   * transaction.
   */
  transactionAt(id: Uint8Array): { readonly number: number; readonly index: number } | undefined;
  /**
   * Maximum size of the stored blocks from which this thread creates one answer, in bytes (see `requireSmallAnswer`).
   * Undefined means no limit.
   */
  readonly answerBytesMax?: number | undefined;
  /** Returns a pending transaction by its id; undefined if none exists. */
  pendingTransaction(id: Uint8Array): Transaction | undefined;
  /**
   * Returns the keys (hex) of the rows that java-tron would have in memory, in the order in which unflushed blocks and
   * pending transactions have written them. java-tron lists these rows before all other rows.
   */
  recentKeys(table: AnyTable): Iterable<string>;
  /**
   * Height of the newest block that java-tron would have flushed to disk. java-tron returns some fields of an account
   * differently if it reads the account from disk. If undefined, all blocks are flushed.
   */
  readonly flushedNumber?: number;
  /** View from which java-tron reads all rows of a table, for example the list of witnesses. Default: this view. */
  readonly listed?: ChainView;
}

/** The mempool: pending transactions. */
interface PendingLookup {
  /**
   * Returns all transactions in the order in which a block producer would include them. Transactions of reverted blocks
   * are last.
   */
  all(): readonly Transaction[];
  find(idHex: string): Transaction | undefined;
  readonly count: number;
  /**
   * Number of transactions to which the mempool limit applies: pending transactions, and transactions of reverted
   * blocks.
   */
  readonly offered: number;
  /**
   * Emits when the pending transactions change, at most once per turn of the event loop. A new subscriber receives no
   * earlier event.
   */
  readonly changes: Observable<void>;
}

/** Configuration values on which responses depend. */
export interface ApiSettings {
  readonly release: ApiRelease;
  readonly rpcLimits: RpcLimits;
  /**
   * Chain id of a private network (`tronicle.devnet.chainId`). If undefined, it is the last four bytes of the genesis
   * block id.
   */
  readonly chainId: number | undefined;
  /** True for a solidity node, which serves only its solidified state (option `--solidity`). */
  readonly isSolidityNode: boolean;
  /** Number of unsolidified blocks at which broadcasts are rejected. Infinity means no check. */
  readonly unsolidifiedMax: number;
  /** First byte of all addresses of the network. */
  readonly addressPrefix: number;
  /**
   * Maximum size of a request body that a handler accepts, in bytes. Configuration: `node.rpc.maxMessageSize`; from
   * release 4.8.2 on `node.http.maxMessageSize`.
   */
  readonly bodyBytesMax: number;
  /**
   * True if the reference block of new transactions is the solidified block instead of the head
   * (`trx.reference.block`).
   */
  readonly refersToSolid: boolean;
  /** Time in ms from the head block to the expiration of a new transaction (`trx.expiration.timeInMilliseconds`). */
  readonly expirationMs: bigint;
  readonly supportsConstant: boolean;
  /** Energy limit of a constant call (`vm.maxEnergyLimitForConstant`). */
  readonly constantEnergyMax: bigint;
  /** Time limit of a constant call, in ms. 0 means the time limit of a transaction. */
  readonly constantCallMs: number;
  readonly estimatesEnergy: boolean;
  readonly estimateRetries: number;
  /** Minimum number of peers in sync for a broadcast (`node.rpc.minEffectiveConnection`). 0 means no check. */
  readonly connectionsMin: number;
  /**
   * True if broadcasts of a known transaction are rejected (`node.rpc.trxCacheEnable`). The ids of broadcast
   * transactions, and of transactions in applied blocks, are then cached.
   */
  readonly remembersIds: boolean;
  /** Maximum number of pending transactions (`node.maxTransactionPendingSize`). */
  readonly pendingMax: number;
  /**
   * True if the shielded APIs are enabled (`node.fullNodeAllowShieldedTransaction`, and from release 4.8.1 on
   * `node.allowShieldedTransactionApi`).
   */
  readonly allowsShieldedApi: boolean;
  /** Configuration values that `getnodeinfo` shows. */
  readonly nodeInfo: Readonly<Record<string, bigint | boolean | string | number>>;
}

/** Properties of a connected peer. Integers are bigint, floating-point numbers are number. */
export type PeerDetails = Readonly<Record<string, bigint | boolean | number | string>>;

/** Connected peers, and the function to broadcast to them. */
export interface PeerLink {
  /** Number of connected peers. */
  readonly active: number;
  /** Number of connected peers that are in sync with this node. */
  readonly inSync: number;
  /** Number of connected peers to which this node opened the connection. Included in `active`. Default: 0. */
  readonly dialled?: number;
  /** Connected peers in the form of `getnodeinfo`, with members in alphabetical order. */
  readonly details?: readonly PeerDetails[];
  /**
   * Witnesses that produced two blocks at one height, in the form of `getnodeinfo`. The key is the address of the
   * witness (hex).
   */
  readonly doubleProducers?: Readonly<Record<string, string>>;
  /** Discovered nodes in the form of `listnodes`. */
  readonly nodes?: readonly { readonly host: string; readonly port: number }[];
  /**
   * Broadcasts a transaction.
   * @returns the number of peers to which it was announced; in an API thread, the number of synced peers
   */
  broadcast(transaction: Pick<DecodedTransaction, 'idHex' | 'bytes'>): number;
}

/** Interface between the APIs and the node. Operations access the node only through it. */
export interface ApiContext {
  readonly settings: ApiSettings;
  readonly pending: PendingLookup;
  readonly peers: PeerLink;
  /**
   * Returns a view. If the chain source counts versions (`ChainSource.headVersion`), returns the same object until the
   * state changes.
   */
  view(name: ViewName): ChainView;
  /**
   * Returns the state after the canonical block at a height, without pending transactions. The height may be at most
   * that of the head.
   * @throws {TronError} HISTORY_NOT_KEPT: the state is pruned (`tronicle.history.retention`); HEIGHT_UNKNOWN: the
   * height is above the head
   */
  viewAt(height: number): ChainView;
  /**
   * Checks that peers will be able to decode a transaction.
   * @throws {ChainError | ProtobufError} peers would reject the transaction
   */
  checkMessage(transaction: DecodedTransaction): void;
  /**
   * Validates a transaction and adds it to the mempool. When the promise resolves, the head view includes its effects.
   * @throws {ChainError} the transaction is rejected
   */
  submit(transaction: DecodedTransaction): Promise<void>;
  /**
   * Forwards broadcast transactions to the node of `tronicle.source.submit` before any check. Set on a read replica,
   * which has no mempool.
   */
  readonly relay?: Relay;
  /**
   * Validates the contract of a transaction that is being built.
   * @throws {ContractValidateError} the contract is invalid
   */
  validate(view: ChainView, transaction: Transaction): void;
  /** Returns the current time, in ms since 1970. */
  now(): number;
  /**
   * Time budget of calls in this thread; set if there is a call pool (worker threads). If undefined, this thread runs
   * every call to its end.
   */
  readonly callBudget?: CallBudget | undefined;
  /** Number of unsolidified blocks + 1. The additional 1 represents the pending transactions; it is always included. */
  readonly openBlocks: number;
  /**
   * Number of states that java-tron would have in memory. The field `beginSyncNum` of `getnodeinfo` is the head height
   * minus this number.
   */
  readonly snapshotCount: number;
}
