import type { IndexDefinition } from '../../projections/indexes/index-definition.js';
import { indexDefinitions } from '../../projections/indexes/indexes.js';
import { indexField } from './schema/schema-indexes.js';

// Costs of reading fields. The unit is the cost of writing a field that needs no read, about 5 µs. The values were
// measured with blocks of 300 transactions and tables of some hundred rows, and rounded up.

/**
 * Additional cost of a field. `once` is added once per occurrence of the field in the query. `each` is added for each
 * item that the argument `first` of the field requests.
 */
interface ReadCost {
  readonly once?: number;
  readonly each?: number;
}

/** Cost of reading a block from the block log and locating its parts. */
const BLOCK = 40;
/** Cost of reading a row of the state. */
const ROW = 10;
/**
 * Cost of reading a past state. It is high, because the read must search the row changes of the blocks after that
 * state.
 */
export const PAST_STATE = 250;
/** Cost of decoding a transaction, or its result. */
const TRANSACTION = 2;
/** Cost of reading or decoding some kB of text or code. */
const LARGE = 50;
/** Cost of the contract calls for one page of an index with current values from the state (see `readIndexPage`). */
const STATE_CALLS = 4000;

/**
 * Returns the cost of a list of an index. For each item, one block must be read, because the block contains the id of
 * the transaction. A page that calls contracts ends after a fixed time.
 */
function indexCost({ state }: IndexDefinition): ReadCost {
  return { once: state === undefined ? ROW : STATE_CALLS, each: BLOCK };
}

/** Additional costs, by type and field. A field that is missing has no additional cost. */
export const readCosts: Readonly<Record<string, ReadCost>> = {
  'Query.status': { once: BLOCK },
  'Query.block': { once: BLOCK },
  'Query.blocks': { each: BLOCK },
  'Query.transaction': { once: BLOCK + TRANSACTION },
  'Query.pending': { each: TRANSACTION },
  'Query.account': { once: ROW },
  'Query.asset': { once: ROW },
  'Query.contract': { once: LARGE },
  'Query.storage': { once: ROW },
  'Query.network': { once: ROW },
  // Runs three constant calls, each limited to 4 ms in the API thread.
  'Query.token': { once: 2400 },
  // Reads and sorts the whole table for every page.
  'Query.witnesses': { once: 800 },
  'Query.proposals': { once: 500 },
  'Query.assets': { once: 1000 },
  // Reads up to 2,000 blocks, in time slices shared with all searches.
  'Query.logs': { once: 2000 },
  'Status.transactionsPerSecond': { once: 20 * BLOCK },
  'Block.witness': { once: ROW },
  // Decodes all receipts of the block.
  'Block.usage': { once: 5 * BLOCK },
  'Block.transactions': { each: TRANSACTION },
  'Transaction.block': { once: TRANSACTION },
  'Transaction.ownerAccount': { once: ROW },
  'Transaction.parameter': { once: 10 },
  // Decoding a call computes the hashes of all functions and events of an ABI.
  'Transaction.call': { once: LARGE },
  'Transaction.transfers': { once: 10 },
  'Log.event': { once: LARGE },
  'Transaction.receipt': { once: TRANSACTION },
  'Account.resources': { once: ROW },
  'Account.contract': { once: LARGE },
  'Account.delegationsTo': { once: 2 * ROW, each: ROW },
  'Account.delegationsFrom': { once: 2 * ROW, each: ROW },
  'Account.assets': { once: ROW },
  // Reads one block per item, because transaction ids are stored in the blocks.
  'Account.transactions': { once: ROW, each: BLOCK },
  'Account.transfers': { once: ROW, each: BLOCK },
  'Account.internalTransactions': { once: ROW, each: BLOCK },
  'Account.balanceHistory': { once: ROW, each: TRANSACTION },
  'Account.stakeHistory': { once: ROW, each: TRANSACTION },
  ...Object.fromEntries(indexDefinitions.map((index) => [`Account.${indexField(index)}`, indexCost(index)] as const)),
  'Vote.witness': { once: ROW },
  'Contract.abi': { once: 4 * LARGE },
  'Contract.bytecode': { once: LARGE },
  'Contract.runtimeCode': { once: LARGE },
};
