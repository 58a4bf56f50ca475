/** Names of the small facts that the ledger keeps in the log. */

/** Height and id of the newest `solidified` entry. */
export const SOLIDIFIED = 'solidified';
/** Height above which all changes are kept. */
export const KEPT = 'kept';
