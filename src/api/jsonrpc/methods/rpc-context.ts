import type { ApiContext, ChainView } from '../../context/api-context.js';
import { BudgetExceededError } from '../../context/call-budget.js';
import type { NetworkControl } from '../../network-control.js';
import type { PortView } from '../../servers.js';
import type { PrintContext } from '../block-results.js';
import type { RawJson } from '../envelope.js';
import type { FilterStore } from '../logs/filter-store.js';
import type { LogSearch } from '../logs/find-logs.js';
import type { RpcPool } from '../rpc-pool.js';
import type { RpcFeatures } from './features.js';

/** What the methods of one port need of the node. */
export interface RpcContext {
  readonly api: ApiContext;
  /** State that the port answers from. */
  readonly view: PortView;
  readonly features: RpcFeatures;
  readonly filters: FilterStore;
  /** Addresses whose keys this node produces blocks with; none on other nodes. */
  readonly producers: readonly Uint8Array[];
  readonly logs: LogSearch;
  /** Traces, and what is costly; without it this thread runs them. */
  readonly pool?: RpcPool | undefined;
  /** Of a private network that lets itself be controlled. */
  readonly control?: NetworkControl | undefined;
}

/** The newest irreversible state that a port knows: what `finalized` and `safe` name. */
export function finalView({ api, view }: RpcContext): ChainView {
  return api.view(view === 'head' ? 'irreversible' : view);
}

/** What printing blocks and transactions needs. */
export function printContext({ api, view, features }: Pick<RpcContext, 'api' | 'view' | 'features'>): PrintContext {
  const { addressPrefix, release, constantEnergyMax: energyMax } = api.settings;
  return { view: api.view(view), addressPrefix, release, ethereum: features.ethereum ? { energyMax } : undefined };
}

/**
 * Runs a method here, or in the pool when it is too costly.
 * @param values for the pool: parameters as its readers gave them
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
