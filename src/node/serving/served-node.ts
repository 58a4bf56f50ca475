import type { Logger } from 'pino';
import { Observable } from 'rxjs';
import type { ApiContext, PeerLink } from '../../api/context/api-context.js';
import type { BlockReader } from '../../api/context/read-block.js';
import type { GraphqlPool } from '../../api/graphql/graphql-pool.js';
import type { GrpcPool } from '../../api/grpc/grpc-pool.js';
import type { UnreadyReason } from '../../api/health/readiness.js';
import type { HttpPool } from '../../api/http/http-pool.js';
import type { IndexPool } from '../../api/indexes/index-pages.js';
import type { Filters } from '../../api/jsonrpc/logs/filters.js';
import type { RpcPool } from '../../api/jsonrpc/rpc-pool.js';
import type { ApiMiddleware } from '../../api/middleware/api-middleware.js';
import type { NetworkControl } from '../../api/network-control.js';
import type { KnownIds } from '../../api/operations/broadcast.js';
import type { ServerName } from '../../api/servers.js';
import type { Chain } from '../../chain/chain.js';
import type { Mempool } from '../../chain/mempool.js';
import type { TransactionQueue } from '../../chain/transaction-queue.js';
import type { NodeConfig } from '../../config/load-config.js';
import type { OperatorAbis } from '../../encoding/abi/operator-abis.js';
import type { Ledger, RetainChanges } from '../../projections/ledger/ledger.js';
import type { MainMetrics } from '../metrics/main-metrics.js';
import { createApiContext } from './api-context.js';
import type { ChainSource, PendingTransactions } from './chain-source.js';
import { rememberIds } from './remember-ids.js';
import type { SecondaryProjections } from './secondary-projections.js';
import type { ThreadRole } from './thread-role.js';

/** Objects that the API servers need. They exist in the main thread and in each API thread. */
export interface ServedNode {
  readonly api: ApiContext;
  /** Read-only access. */
  readonly ledger: Ledger;
  /** Prevents the writer's ledger from deleting log entries that a reader has not read yet. */
  readonly retainChanges: RetainChanges;
  /** Ids of broadcast and applied transactions. HTTP, gRPC, JSON-RPC and all threads share them, as in java-tron. */
  readonly remembered: KnownIds;
  /** Controls of a private network; undefined if the node has no control routes. */
  readonly control?: NetworkControl | undefined;
  /** Worker threads (the call pool) that run expensive requests. If undefined, this thread runs them. */
  readonly pool?: (HttpPool & GrpcPool & RpcPool & GraphqlPool & IndexPool) | undefined;
  /** Addresses of the witnesses whose keys this node has. */
  readonly producers: readonly Uint8Array[];
  /** Data folder. If undefined, the APIs write no files, so they have no indexes, and the operator cannot add ABIs. */
  readonly dataDir?: string | undefined;
  /** ABIs that the operator has set. `serveApis` creates them if there is a data folder. */
  readonly abis?: OperatorAbis | undefined;
  /** Indexes and account histories, started by `serveApis`. Without them, `eth_getLogs` scans the blocks. */
  readonly projections?: SecondaryProjections | undefined;
  /** Cache of decoded blocks, shared by GraphQL, `/v1` and the server of light clients. `serveApis` creates it. */
  readonly blocks?: BlockReader | undefined;
  /** Role of this thread if several threads serve the APIs; undefined if only one does. */
  readonly role?: ThreadRole | undefined;
  /** Filters of the JSON-RPC ports. If undefined, `createRpcServers` creates them. */
  readonly filters?: ServedFilters | undefined;
  /** Counters of the main thread. If undefined, the servers omit them. */
  readonly metrics?: MainMetrics | undefined;
  /** Rate limits and counters of all servers. `serveApis` creates them. */
  readonly gate?: ApiMiddleware | undefined;
  /** Returns the reasons why the node is not ready. `serveApis` creates it. */
  readonly notReady?: (() => readonly UnreadyReason[]) | undefined;
  readonly config: NodeConfig;
  readonly log: Logger;
  /** Returns ms since 1970. */
  readonly now: () => number;
}

/** Filters of the JSON-RPC ports, which run in this thread or in another thread. */
export interface ServedFilters {
  readonly of: Readonly<Record<ServerName, Filters>>;
  close(): void;
}

interface LocalNode
  extends Pick<ServedNode, 'config' | 'log' | 'now'>,
    Partial<Pick<ServedNode, 'producers' | 'dataDir' | 'metrics' | 'control'>> {
  readonly chain: Chain;
  readonly peers?: PeerLink;
  readonly votedHeight?: () => number;
}

/**
 * Returns the objects to serve the APIs from the main thread, for `test-driver` and tests. Unlike in an API thread,
 * each answer includes the newest block.
 */
export function servedLocally({ chain, producers = [], ...node }: LocalNode): ServedNode {
  const api = createApiContext({ source: sourceOf(chain), ...node });
  return {
    api,
    ledger: chain.ledger,
    retainChanges: (reader, seq) => chain.ledger.retainChanges(reader, seq),
    remembered: rememberIds(chain, node.config),
    producers,
    ...node,
  };
}

function sourceOf(chain: Chain): ChainSource {
  const { ledger, state, mempool } = chain;
  const pendingIn = (queue: TransactionQueue): PendingTransactions[] =>
    queue.values().map(({ transaction }) => transaction);
  return {
    ledger,
    rules: state.rules,
    head: () => state,
    writtenKeys: (table) => table.writtenKeys(),
    get snapshotCount() {
      return chain.snapshots.size;
    },
    get storedNumber() {
      return chain.storedNumber;
    },
    pending: () => pendingIn(mempool.pending),
    repushed: () => pendingIn(mempool.repush),
    pendingChanges: pendingChangesOf(mempool),
    submit: async (transaction) => {
      mempool.validateAndAdd(transaction);
    },
  };
}

/** Emits once at the end of each event loop turn in which the pending transactions changed. */
function pendingChangesOf({ listeners }: Mempool): Observable<void> {
  return new Observable((subscriber) => {
    let isScheduled = false;
    const schedule = (): void => {
      if (isScheduled) return;
      isScheduled = true;
      setImmediate(() => {
        isScheduled = false;
        subscriber.next();
      });
    };
    const listener = { admitted: schedule, changed: schedule };
    listeners.add(listener);
    return () => listeners.delete(listener);
  });
}
