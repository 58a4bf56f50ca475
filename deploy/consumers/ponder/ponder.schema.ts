import { onchainTable } from 'ponder';

/** Balances as sums of transfers. */
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
  /** Energy of the receipt. */
  energy: t.bigint().notNull(),
  /** What `balanceOf(to)` returned at the height of the block. */
  balanceAfter: t.bigint().notNull(),
}));

export const vault = onchainTable('vault', (t) => ({
  address: t.hex().primaryKey(),
  owner: t.hex().notNull(),
  /** Sum of the deposits. */
  deposited: t.bigint().notNull(),
  deposits: t.integer().notNull(),
  /** What `total()` returned at the height of the last deposit. */
  total: t.bigint().notNull(),
}));
