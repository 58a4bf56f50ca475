import { itemAt } from '../primitives/assert.js';
import { accounts } from './accounts.js';
import { trc10Assets } from './assets.js';
import { chainProperties } from './chain-properties.js';
import { contracts } from './contracts.js';
import { delegation } from './delegation.js';
import { governance } from './governance.js';
import { markets } from './markets.js';
import { nodeLocal } from './node-local.js';
import { shielded } from './shielded.js';
import { staking } from './staking.js';
import { ownEachStoreOnce, type StateProjection } from './state/state-projection.js';
import type { StoreId } from './state/stores.js';

/** All projections of the state. The code does not compile if a store is in no projection or in two projections. */
export const stateProjections: readonly StateProjection[] = ownEachStoreOnce([
  accounts,
  staking,
  delegation,
  contracts,
  governance,
  trc10Assets,
  markets,
  shielded,
  chainProperties,
  nodeLocal,
]);

/** For each store id, the index in {@link stateProjections} of the projection that owns the store. */
const ownerIndexes: readonly number[] = stateProjections.reduce<number[]>((indexes, { storeIds }, index) => {
  for (const store of storeIds) indexes[store] = index;
  return indexes;
}, []);

/** Returns the index in {@link stateProjections} of the projection that owns a store. */
export function ownerIndex(store: StoreId): number {
  return itemAt(ownerIndexes, store);
}

export function findStateProjection(name: string): StateProjection | undefined {
  return stateProjections.find((projection) => projection.name === name);
}
