import { onchainTable } from 'ponder';

/** Balance of each account, as the sum of its transfers. */
export const account = onchainTable('account', (t) => ({
  address: t.hex().primaryKey(),
  balance: t.bigint().notNull(),
}));

export const transfer = onchainTable('transfer', (t) => ({
  id: t.text().primaryKey(),
  from: t.hex().notNull(),
  to: t.hex().notNull(),
  value: t.bigint().notNull(),
  block: t.bigint().notNull(),
  transaction: t.hex().notNull(),
  /** Energy in the receipt of the transaction. */
  energy: t.bigint().notNull(),
  /** Result of `balanceOf(to)` at the height of the block. */
  balanceAfter: t.bigint().notNull(),
}));

export const vault = onchainTable('vault', (t) => ({
  address: t.hex().primaryKey(),
  owner: t.hex().notNull(),
  /** Sum of all deposits. */
  deposited: t.bigint().notNull(),
  deposits: t.integer().notNull(),
  /** Result of `total()` at the height of the last deposit. */
  total: t.bigint().notNull(),
}));
