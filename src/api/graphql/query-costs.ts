/**
 * What reading costs, in fields: a plain one, with its name and its place in the answer, takes some 5 µs. The numbers
 * are measured on blocks of 300 transactions and tables of some hundred rows, and are rather too high than too low.
 */

/** What a field costs more than a plain one, once; for a list with `first`, in each of its nodes as well. */
interface ReadCost {
  readonly once?: number;
  readonly each?: number;
}

/** Reading a block out of the log and looking for its parts. */
const BLOCK = 40;
/** A row of the state. */
const ROW = 10;
/** A state of the past: what was written since is looked through. */
export const PAST_STATE = 250;
/** Decoding a transaction or its result. */
const TRANSACTION = 2;
/** Texts and code of some kB. */
const LARGE = 50;

/** By type and field; what is not here costs no more than a plain field. */
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
  // Three constant calls, each of up to the 4 ms after which the thread gives one up.
  'Query.token': { once: 2400 },
  // The whole table is read and sorted, whatever the page.
  'Query.witnesses': { once: 800 },
  'Query.proposals': { once: 500 },
  'Query.assets': { once: 1000 },
  // It looks at up to 2,000 blocks, in turns that all searches share.
  'Query.logs': { once: 2000 },
  'Status.transactionsPerSecond': { once: 20 * BLOCK },
  'Block.witness': { once: ROW },
  // All its results are decoded.
  'Block.usage': { once: 5 * BLOCK },
  'Block.transactions': { each: TRANSACTION },
  'Transaction.block': { once: TRANSACTION },
  'Transaction.ownerAccount': { once: ROW },
  'Transaction.parameter': { once: 10 },
  // The hashes of an ABI's functions and events.
  'Transaction.call': { once: LARGE },
  'Transaction.transfers': { once: 10 },
  'Log.event': { once: LARGE },
  'Transaction.receipt': { once: TRANSACTION },
  'Account.resources': { once: ROW },
  'Account.contract': { once: LARGE },
  'Account.delegationsTo': { once: 2 * ROW, each: ROW },
  'Account.delegationsFrom': { once: 2 * ROW, each: ROW },
  'Account.assets': { once: ROW },
  // Ids of transactions lie in their blocks.
  'Account.transactions': { once: ROW, each: BLOCK },
  'Account.transfers': { once: ROW, each: BLOCK },
  'Account.internalTransactions': { once: ROW, each: BLOCK },
  'Account.balanceHistory': { once: ROW, each: TRANSACTION },
  'Account.stakeHistory': { once: ROW, each: TRANSACTION },
  'Vote.witness': { once: ROW },
  'Contract.abi': { once: 4 * LARGE },
  'Contract.bytecode': { once: LARGE },
  'Contract.runtimeCode': { once: LARGE },
};
