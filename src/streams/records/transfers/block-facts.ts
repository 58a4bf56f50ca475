import {
  AssetIssueContract,
  Exchange,
  MarketOrder,
  type MarketOrder as Order,
} from '../../../codec/generated/messages.js';
import { present } from '../../../primitives/assert.js';
import { fromInt64, toHex, toInt64, toUtf8, utf8 } from '../../../primitives/bytes.js';
import { onFirstUse } from '../../../primitives/on-first-use.js';
import { trc10Assets } from '../../../projections/assets.js';
import { markets } from '../../../projections/markets.js';
import type { RowChange, StateReader } from '../../../projections/state/state-reader.js';
import { type StoreName, storeId } from '../../../projections/state/stores.js';
import { TRX_TOKEN_ID } from '../../../state-transition/system-contracts/exchange/exchange-pool.js';
import { type BalanceChange, balanceChanges } from './balance-changes.js';
import { TRX } from './movement.js';

/**
 * Facts about a block, read from the rows that it changed. Assets can be read from any later state, because the fields
 * that are used here never change after the issue.
 */
export class BlockFacts {
  readonly balances: ReadonlyMap<string, BalanceChange>;
  private readonly head: StateReader;
  private readonly rows: readonly RowChange[];
  private readonly byKey = onFirstUse(() => new Map(this.rows.map((row) => [rowKey(row.store, row.key), row])));

  /**
   * @param head state with all assets of the block. It may be later than the block, because asset rows are never
   * deleted.
   */
  constructor(rows: readonly RowChange[], head: StateReader) {
    this.rows = rows;
    this.head = head;
    this.balances = balanceChanges(rows);
  }

  /** Returns the change of a row; undefined if the block did not change it. */
  row(store: StoreName, key: Uint8Array): RowChange | undefined {
    return this.byKey().get(rowKey(storeId(store), key));
  }

  /** Returns the increase of a numeric chain property in the block. */
  increase(property: string): bigint {
    const row = this.row('properties', utf8(property));
    if (row === undefined) return 0n;
    return (row.after === undefined ? 0n : toInt64(row.after)) - (row.before === undefined ? 0n : toInt64(row.before));
  }

  /** Returns the TRC10 asset with an id; undefined if the asset does not exist. */
  asset(id: string): AssetIssueContract | undefined {
    const changed = this.row('asset-issue-v2', utf8(id))?.after;
    return changed === undefined ? trc10Assets.at(this.head).byId(utf8(id)) : AssetIssueContract.decode(changed);
  }

  /**
   * Returns the token that the contract of a transaction refers to: {@link TRX} or an asset id. Before the proposal
   * that allows equal names, contracts contain names of assets, and afterwards ids.
   */
  token(named: Uint8Array): string {
    const text = toUtf8(named);
    if (text === TRX_TOKEN_ID) return TRX;
    const changed = this.row('asset-issue', named)?.after;
    const byName =
      changed === undefined ? trc10Assets.at(this.head).get('asset-issue', named) : AssetIssueContract.decode(changed);
    if (byName === undefined) return text;
    // A name may look like an id. In this case, the balances that the block changed show which of the two tokens the
    // contract moved.
    const [isName, isId] = [this.movesToken(byName.id), this.asset(text) !== undefined && this.movesToken(text)];
    return isId && !isName ? text : byName.id;
  }

  private movesToken(id: string): boolean {
    for (const { token } of this.balances.values()) if (token === id) return true;
    return false;
  }

  /** Returns both tokens of an exchange pool. The tokens of a pool never change, and pools are never deleted. */
  poolTokens(exchangeId: bigint): readonly [string, string] {
    const key = fromInt64(exchangeId);
    const changed = this.row('exchange-v2', key)?.after;
    const pool = changed === undefined ? markets.at(this.head).get('exchange-v2', key) : Exchange.decode(changed);
    const { firstTokenId, secondTokenId } = present(pool, 'its transaction was executed');
    return [tokenOfId(firstTokenId), tokenOfId(secondTokenId)];
  }

  /** Returns an order of the market before and after the block; undefined if the block did not change the order. */
  order(id: Uint8Array): { readonly before: Order | undefined; readonly after: Order | undefined } | undefined {
    const row = this.row('market_order', id);
    if (row === undefined) return undefined;
    const { before, after } = row;
    return { before: before && MarketOrder.decode(before), after: after && MarketOrder.decode(after) };
  }

  /** Returns the ids of the orders that the block changed. */
  orderIds(): Uint8Array[] {
    const store = storeId('market_order');
    return this.rows.filter((row) => row.store === store).map(({ key }) => key);
  }
}

/** Returns the token for its id in a pool. Only for pools that contain asset ids and not names. */
export function tokenOfId(id: Uint8Array): string {
  const text = toUtf8(id);
  return text === TRX_TOKEN_ID ? TRX : text;
}

function rowKey(store: number, key: Uint8Array): string {
  return `${store} ${toHex(key)}`;
}
