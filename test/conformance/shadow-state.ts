import { accountTokens, normalise, type RowDifference, type Rows } from './compare-rows.js';

/** State rows of one of the two compared nodes, built from its row changes. */
export class ShadowState {
  /** Row value in hex, by `store/key`. */
  readonly rows = new Map<string, string>();

  /** Applies row changes. @returns `store/key` of the changed rows */
  apply(diff: Rows): Set<string> {
    const touched = new Set<string>();
    for (const [store, rows] of Object.entries(diff)) {
      for (const [key, value] of Object.entries(rows)) {
        const name = `${store}/${key}`;
        touched.add(name);
        if (value === null) this.rows.delete(name);
        else this.rows.set(name, value);
      }
    }
    return touched;
  }

  /**
   * Returns the token balances of an account by token id, without balances of 0. A balance is in the account row, or in
   * a separate row if the account has the flag for separate rows. Other separate rows belong to a deleted account.
   * java-tron deletes them from its disk later.
   * @param other state of the other node, whose token ids are checked too
   */
  tokens(address: string, other: ShadowState): Map<string, bigint> {
    const balances = new Map<string, bigint>();
    const account = this.rows.get(`account/${address}`);
    if (account === undefined) return balances;
    const { byId, isOptimized } = accountTokens(account);
    const ids = new Set<string>([...byId.keys(), ...this.assetIds(address), ...other.assetIds(address)]);
    for (const id of ids) {
      const name = `account-asset/${address}${Buffer.from(id).toString('hex')}`;
      const row = isOptimized ? this.rows.get(name) : undefined;
      const balance = byId.get(id) ?? (row === undefined ? 0n : Buffer.from(row, 'hex').readBigInt64BE());
      if (balance !== 0n) balances.set(id, balance);
    }
    return balances;
  }

  private readonly idsOf = new Map<string, Set<string>>();

  private assetIds(address: string): Set<string> {
    let ids = this.idsOf.get(address);
    if (ids === undefined) {
      ids = new Set();
      this.idsOf.set(address, ids);
    }
    return ids;
  }

  noteAssetKey(key: string): void {
    this.assetIds(key.slice(0, 42)).add(Buffer.from(key.slice(42), 'hex').toString());
  }
}

/**
 * Applies the row changes that both nodes made for the same input. Returns those changed rows that differ afterwards.
 */
export function compareStep(
  expected: ShadowState,
  actual: ShadowState,
  expectedDiff: Rows,
  actualDiff: Rows,
): RowDifference[] {
  for (const [state, diff] of [
    [expected, expectedDiff],
    [actual, actualDiff],
  ] as const) {
    for (const key of Object.keys(diff['account-asset'] ?? {})) state.noteAssetKey(key);
  }
  const touched = new Set([...expected.apply(expectedDiff), ...actual.apply(actualDiff)]);
  const differences: RowDifference[] = [];
  const accounts = new Set<string>();
  for (const name of touched) {
    const slash = name.indexOf('/');
    const store = name.slice(0, slash);
    const key = name.slice(slash + 1);
    if (store === 'account') accounts.add(key);
    if (store === 'account-asset') {
      accounts.add(key.slice(0, 42));
      continue;
    }
    const left = expected.rows.get(name);
    const right = actual.rows.get(name);
    if (left === right) continue;
    if (left !== undefined && right !== undefined && normalise(store, key, left) === normalise(store, key, right))
      continue;
    differences.push({ store, key, expected: left, actual: right });
  }
  for (const address of accounts) differences.push(...compareTokens(expected, actual, address));
  return differences;
}

function compareTokens(expected: ShadowState, actual: ShadowState, address: string): RowDifference[] {
  const text = (tokens: Map<string, bigint>): string =>
    [...tokens]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([id, balance]) => `${id}:${balance}`)
      .join(' ');
  const left = text(expected.tokens(address, actual));
  const right = text(actual.tokens(address, expected));
  const differences = left === right ? [] : [{ store: 'tokens', key: address, expected: left, actual: right }];
  const rows = [expected, actual].map((state) => state.rows.get(`account/${address}`));
  if (rows[0] === undefined || rows[1] === undefined) return differences;
  const [a, b] = rows.map((row) => accountTokens(row!));
  if (a!.isOptimized || b!.isOptimized || text(a!.byName) === text(b!.byName)) return differences;
  return [
    ...differences,
    { store: 'tokens-by-name', key: address, expected: text(a!.byName), actual: text(b!.byName) },
  ];
}
