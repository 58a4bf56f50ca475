import type { ApiContext, ChainView } from '../../context/api-context.js';
import { BudgetExceededError } from '../../context/call-budget.js';
import type { IndexPool, IndexSource } from '../../indexes/index-pages.js';
import type { NetworkControl } from '../../network-control.js';
import type { PortView } from '../../servers.js';
import type { RawJson } from '../envelope.js';
import type { Filters } from '../logs/filters.js';
import type { LogSearch } from '../logs/find-logs.js';
import type { RpcPool } from '../rpc-pool.js';
import type { PrintContext } from '../transaction-text.js';
import type { RpcFeatures } from './features.js';

/** Objects that the methods of one port use. */
export interface RpcContext {
  readonly api: ApiContext;
  /** Name of the view that the port reads. */
  readonly view: PortView;
  readonly features: RpcFeatures;
  readonly filters: Filters;
  /** Addresses of the witnesses for which this node produces blocks. Empty if the node produces no blocks. */
  readonly producers: readonly Uint8Array[];
  /** Addresses of the funded accounts of a private network. */
  readonly accounts?: readonly Uint8Array[];
  readonly logs: LogSearch;
  /** Indexes that `tronicle.projections` enables. Undefined on the solidity and PBFT ports. */
  readonly indexes?: IndexSource | undefined;
  /** Worker threads for traces and expensive calls. If undefined, this thread runs them. */
  readonly pool?: (RpcPool & IndexPool) | undefined;
  /** Control of a private network, if enabled. */
  readonly control?: NetworkControl | undefined;
}

/**
 * Returns the state that the tags `finalized` and `safe` select: on the full node's port the newest solidified state,
 * on the other ports the newest state of the port.
 */
export function finalView({ api, view }: RpcContext): ChainView {
  return api.view(view === 'head' ? 'irreversible' : view);
}

/** Returns the context for rendering blocks and transactions. */
export function printContext({ api, view, features }: Pick<RpcContext, 'api' | 'view' | 'features'>): PrintContext {
  const { addressPrefix, release, constantEnergyMax: energyMax } = api.settings;
  return { view: api.view(view), addressPrefix, release, ethereum: features.ethereum ? { energyMax } : undefined };
}

/**
 * Runs a method in this thread. If the method exceeds the time budget, runs it again in the call pool (worker
 * threads).
 * @param values parameters for the call pool, as the parameter readers returned them
 */
export function orInPool<R>(
  { pool, view }: RpcContext,
  method: string,
  values: readonly unknown[],
  run: () => R,
): R | Promise<RawJson> {
  try {
    return run();
  } catch (error) {
    if (!(error instanceof BudgetExceededError) || pool === undefined) throw error;
    return pool.rpc(view, method, values, error);
  }
}
