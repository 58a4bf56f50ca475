import { TooCostly } from '../call-pool.js';
/** The newest irreversible state that a port knows: what `finalized` and `safe` name. */
export function finalView({ api, view }) {
    return api.view(view === 'pbft' ? 'pbft' : 'solidified');
}
/** Runs a method here, or in the pool when it is too costly. @param values for the pool: parameters as its readers gave them */
export function orInPool({ pool, view }, method, values, run) {
    try {
        return run();
    }
    catch (error) {
        if (!(error instanceof TooCostly) || pool === undefined)
            throw error;
        return pool.rpc(view, method, values, error);
    }
}
//# sourceMappingURL=rpc-context.js.map