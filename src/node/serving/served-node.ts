import type { Logger } from 'pino';
import { Observable } from 'rxjs';
import type { ApiContext, PeerLink } from '../../api/context/api-context.js';
import type { BlockReader } from '../../api/context/read-block.js';
import type { GrpcPool } from '../../api/grpc/grpc-pool.js';
import type { HttpPool } from '../../api/http/http-pool.js';
import { type BlockWithReceipts, contentOf, contentOfDecoded } from '../../api/jsonrpc/block-results.js';
import type { RpcPool } from '../../api/jsonrpc/rpc-pool.js';
import type { ApiMiddleware } from '../../api/middleware/api-middleware.js';
import type { NetworkControl } from '../../api/network-control.js';
import { RememberedIds } from '../../api/operations/broadcast.js';
import type { Chain } from '../../chain/chain.js';
import type { ChainListener } from '../../chain/chain-listener.js';
import type { Mempool } from '../../chain/mempool.js';
import type { TransactionQueue } from '../../chain/transaction-queue.js';
import type { NodeConfig } from '../../config/load-config.js';
import type { OperatorAbis } from '../../encoding/abi/operator-abis.js';
import type { HoldChanges, Ledger } from '../../projections/ledger/ledger.js';
import type { MainMetrics } from '../metrics/main-metrics.js';
import { type ChainSource, createApiContext, type PendingTransactions } from './api-context.js';
import type { SecondaryProjections } from './secondary-projections.js';
import { SolidifiedNotifier } from './solidified-notifier.js';

/** All that the servers need of a node, in the deciding thread or in that of the APIs. */
export interface ServedNode {
  readonly api: ApiContext;
  /** For reading. */
  readonly ledger: Ledger;
  /** Of the writer's ledger. */
  readonly holdChanges: HoldChanges;
  /** In order; whoever subscribes hears at once, in the turn of the block. */
  readonly news: Observable<BlockUpdate>;
  /** One memory of broadcast ids for all protocols, as the reference has. */
  readonly remembered: RememberedIds;
  /** Of a private network that lets itself be controlled. */
  readonly control?: NetworkControl | undefined;
  /** Who answers what is costly; undefined: this thread. */
  readonly pool?: (HttpPool & GrpcPool & RpcPool) | undefined;
  /** Addresses of the witnesses whose keys this node has. */
  readonly producers: readonly Uint8Array[];
  /** Without one nothing is kept beside log and state. */
  readonly dataDir?: string | undefined;
  /** ABIs that the operator gave; `serveApis` makes them where there is a folder. */
  readonly abis?: OperatorAbis | undefined;
  /** Indexes and histories; without them `eth_getLogs` reads the blocks themselves. `serveApis` starts them. */
  readonly projections?: SecondaryProjections | undefined;
  /** Blocks that GraphQL, `/v1` and browsers ask for, each taken apart once for all of them. `serveApis` makes it. */
  readonly blocks?: BlockReader | undefined;
  /** Counters of the deciding thread; undefined: none are shown. */
  readonly metrics?: MainMetrics | undefined;
  /** Rates and counters of all servers; `serveApis` makes one. */
  readonly gate?: ApiMiddleware | undefined;
  readonly config: NodeConfig;
  readonly log: Logger;
  /** ms since 1970. */
  readonly now: () => number;
}

/**
 * What became of a block. `rejoined`: as part of a branch that was followed to its end, which an older release does not
 * tell.
 */
export interface BlockUpdate {
  readonly change: 'joined' | 'rejoined' | 'undone' | 'solidified';
  readonly content: BlockWithReceipts;
}

interface LocalNode
  extends Pick<ServedNode, 'config' | 'log' | 'now'>,
    Partial<Pick<ServedNode, 'producers' | 'dataDir' | 'metrics' | 'control'>> {
  readonly chain: Chain;
  readonly peers?: PeerLink;
  readonly votedHeight?: () => number;
}

/** Serves from the thread that decides: what is answered is what is decided, block by block (`drive`, tests). */
export function servedLocally({ chain, producers = [], ...node }: LocalNode): ServedNode {
  const api = createApiContext({ source: sourceOf(chain), ...node });
  return {
    api,
    ledger: chain.ledger,
    holdChanges: (reader, seq) => chain.ledger.holdChanges(reader, seq),
    news: newsOf(chain, node.config.tronicle.devnet.control),
    remembered: new RememberedIds(),
    producers,
    ...node,
  };
}

function sourceOf(chain: Chain): ChainSource {
  const { ledger, state, mempool } = chain;
  const waiting = (queue: TransactionQueue): PendingTransactions[] =>
    queue.values().map(({ transaction }) => transaction);
  return {
    ledger,
    rules: state.rules,
    head: () => state,
    writtenKeys: (table) => table.writtenKeys(),
    get heldStates() {
      return chain.snapshots.size;
    },
    get storedNumber() {
      return chain.storedNumber;
    },
    pending: () => waiting(mempool.pending),
    takenBack: () => waiting(mempool.repush),
    waitingChanges: waitingChangesOf(mempool),
    submit: async (transaction) => {
      mempool.validateAndAdd(transaction);
    },
  };
}

/** Told at the end of the turn: many changes are one. */
function waitingChangesOf({ listeners }: Mempool): Observable<void> {
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

/** @param isControlled the network may go back below what was irreversible, whose heights are then told again */
function newsOf(chain: Chain, isControlled: boolean): Observable<BlockUpdate> {
  return new Observable((subscriber) => {
    const told = new SolidifiedNotifier(chain.solidifiedNumber);
    const listener: ChainListener = {
      applied: (block, { transactioninfo: infos }) => {
        if (chain.isReorging) {
          told.changed(chain.solidifiedNumber);
          return;
        }
        subscriber.next({ change: 'joined', content: contentOfDecoded(block, infos) });
        for (const number of told.joined(chain.solidifiedNumber)) {
          if (chain.ledger.block(number) === undefined) continue;
          subscriber.next({ change: 'solidified', content: contentOf(chain.ledger, number) });
        }
      },
      switched: (branch) => {
        for (const { id, number } of branch) {
          const entry = chain.ledger.entryOfId(id);
          if (entry === undefined) continue;
          subscriber.next({ change: 'rejoined', content: contentOf({ block: () => entry }, number) });
        }
      },
      reverted: (block) => {
        told.changed(chain.solidifiedNumber);
        if (isControlled) told.wentBack(block.number - 1);
        const undone = chain.ledger.entryOfId(block.id);
        if (undone === undefined) return;
        subscriber.next({ change: 'undone', content: contentOf({ block: () => undone }, block.number) });
      },
    };
    chain.listeners.add(listener);
    return () => chain.listeners.delete(listener);
  });
}
