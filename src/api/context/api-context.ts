import type { Observable } from 'rxjs';
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
 * Which state is asked; also the newest irreversible one, wherever the reference has it, and what PBFT's port shows who
 * asks it twice at once.
 */
export type ViewName = PortView | 'irreversible' | 'pbft-again';

/** One consistent state with the blocks that lead to it. Good until the caller returns to the event loop. */
export interface ChainView {
  readonly state: State;
  /** Newest block of the view. */
  readonly headNumber: number;
  /** Bytes of a block, and of the results of its transactions (`TransactionRet`, empty for none). */
  block(number: number): { readonly block: Uint8Array; readonly results: Uint8Array } | undefined;
  blockIdAt(number: number): Uint8Array | undefined;
  /** Height of a canonical block; undefined for one above the view. */
  numberOf(id: Uint8Array): number | undefined;
  /** Place of a transaction in the blocks of the view. */
  transactionAt(id: Uint8Array): { readonly number: number; readonly index: number } | undefined;
  /** A transaction that waits on top of the view. */
  waiting(id: Uint8Array): Transaction | undefined;
  /**
   * Keys (hex) of a table's rows that blocks above the solidified one, and what waits, have written, in the order of
   * writing.
   * The reference lists these rows before all others.
   */
  recentKeys(table: AnyTable): Iterable<string>;
  /**
   * Newest block that the reference has on its disk, which its rows of accounts tell from those in memory; absent: all
   * are there.
   */
  readonly flushedNumber?: number;
  /** Where the reference runs over rows, it finds those of this view; absent: those of the view itself. */
  readonly listed?: ChainView;
}

/** Transactions that wait for a block. */
interface WaitingTransactions {
  /** In the order in which they are to be packed, those taken back behind. */
  all(): readonly Transaction[];
  find(idHex: string): Transaction | undefined;
  readonly count: number;
  /** Waiting and taken back, without those of undone blocks: what the limit counts. */
  readonly offered: number;
  /**
   * Says that something else waits than before, once a turn of the event loop at most; nothing is told to who is not
   * there.
   */
  readonly changes: Observable<void>;
}

/** Settings of the configuration that answers depend on. */
export interface ApiSettings {
  readonly release: ApiRelease;
  readonly rpcLimits: RpcLimits;
  /** It serves its irreversible state alone, as the server `solidity` of a full node does. `--solidity` */
  readonly isSolidityNode: boolean;
  /** Blocks that wait for solidification from which on nothing is broadcast; infinite: any number. */
  readonly unsolidifiedMax: number;
  /** First byte of addresses. */
  readonly addressPrefix: number;
  /**
   * Largest body that a handler reads, in bytes. `node.rpc.maxMessageSize`, from 4.8.2 on `node.http.maxMessageSize`
   */
  readonly bodyBytesMax: number;
  /** Reference block of new transactions. `trx.reference.block` */
  readonly refersToSolid: boolean;
  /** Life of a new transaction, ms. `trx.expiration.timeInMilliseconds` */
  readonly expirationMs: bigint;
  readonly supportsConstant: boolean;
  /** `vm.maxEnergyLimitForConstant` */
  readonly constantEnergyMax: bigint;
  /** Time of a constant call, ms; 0: as much as a transaction has. */
  readonly constantCallMs: number;
  readonly estimatesEnergy: boolean;
  readonly estimateRetries: number;
  /** Peers in sync that a broadcast needs; 0: none. `node.rpc.minEffectiveConnection` */
  readonly connectionsMin: number;
  /** `node.rpc.trxCacheEnable` */
  readonly remembersIds: boolean;
  /** `node.maxTransactionPendingSize` */
  readonly waitingMax: number;
  /** `node.fullNodeAllowShieldedTransaction` */
  readonly allowsShieldedApi: boolean;
  /** What `getnodeinfo` shows of the configuration. */
  readonly nodeInfo: Readonly<Record<string, bigint | boolean | string | number>>;
}

/** A connected peer: integers, doubles as numbers, texts. */
export type PeerDetails = Readonly<Record<string, bigint | boolean | number | string>>;

/** Who is connected, and what peers make of a broadcast. */
export interface PeerLink {
  /** Peers that are connected, and those of them in sync with this node. */
  readonly active: number;
  readonly inSync: number;
  /** Those of `active` that this node dialled; none when absent. */
  readonly dialled?: number;
  /** Each connected peer as `getnodeinfo` shows it, members in alphabetical order. */
  readonly details?: readonly PeerDetails[];
  /** Witnesses that made two blocks of one height, by address (hex), as `getnodeinfo` shows them. */
  readonly cheats?: Readonly<Record<string, string>>;
  /** Nodes that were found reachable, as `listnodes` shows them. */
  readonly nodes?: readonly { readonly host: string; readonly port: number }[];
  /** Sends a transaction on. @returns number of peers that it went to */
  broadcast(transaction: Pick<DecodedTransaction, 'idHex' | 'bytes'>): number;
}

/** Everything that the operations need of the node. */
export interface ApiContext {
  readonly settings: ApiSettings;
  readonly waiting: WaitingTransactions;
  readonly peers: PeerLink;
  /** Where the source knows its versions, the same object as long as nothing in the view has changed. */
  view(name: ViewName): ChainView;
  /**
   * State after the canonical block of a height, without what waits. The head is its own past too.
   * @throws {TronError} HISTORY_NOT_KEPT below what `tronicle.history.retention` keeps, HEIGHT_UNKNOWN above the head
   */
  viewAt(height: number): ChainView;
  /** Reads a transaction as peers would have to. @throws {ChainError} one that they would not take */
  checkMessage(transaction: DecodedTransaction): void;
  /**
   * Checks a transaction and lets it wait; the head shows its effects when this ends.
   * @throws {ChainError} every refusal
   */
  submit(transaction: DecodedTransaction): Promise<void>;
  /** In a read replica, where nothing waits: who is given transactions that are broadcast, before any check. */
  readonly relay?: Relay;
  /** Contract rules for a transaction that is being built. @throws {ContractValidateError} */
  validate(view: ChainView, transaction: Transaction): void;
  /** ms since 1970. */
  now(): number;
  /** Where a pool takes what is costly; undefined: this thread runs everything to its end. */
  readonly callBudget?: CallBudget | undefined;
  /** Blocks that can still be taken back, and what waits as one more. */
  readonly openBlocks: number;
  /**
   * States that java-tron would have in memory: the heights below the head from which on it would tell peers of its
   * chain.
   */
  readonly heldStates: number;
}
