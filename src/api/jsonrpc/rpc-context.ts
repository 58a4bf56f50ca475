import type { ApiContext, ChainView, ViewName } from '../api-context.js';
import type { RpcFeatures } from './features.js';
import type { FilterStore } from './filter-store.js';
import type { LogSearch } from './find-logs.js';
import type { Traces } from './tracing/trace-request.js';

/** What the methods of one port need of the node. */
export interface RpcContext {
  readonly api: ApiContext;
  /** State that the port answers from. */
  readonly view: ViewName;
  readonly features: RpcFeatures;
  readonly filters: FilterStore;
  /** Addresses whose keys this node produces blocks with; none on other nodes. */
  readonly producers: readonly Uint8Array[];
  readonly logs: LogSearch;
  /** Without it this thread traces. */
  readonly traces?: Traces | undefined;
}

/** The newest irreversible state that a port knows: what `finalized` and `safe` name. */
export function finalView({ api, view }: RpcContext): ChainView {
  return api.view(view === 'pbft' ? 'pbft' : 'solidified');
}
