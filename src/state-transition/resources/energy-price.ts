import { toUtf8 } from '../../primitives/bytes.js';

interface EnergyPrices {
  /** Value of the property `ENERGY_PRICE_HISTORY`: `time:price,…` in ms and SUN, oldest first. */
  readonly history: Uint8Array;
  /** Value of the property `ENERGY_FEE`: newest price in SUN. */
  readonly newest: bigint;
}

/**
 * Returns the energy price in SUN at a time. Before the first entry of the history, returns the newest price.
 * Reference: Wallet.getEnergyFee(long).
 */
export function energyPriceAt({ history, newest }: EnergyPrices, timeMs: bigint): bigint {
  for (const entry of toUtf8(history).split(',').reverse()) {
    const [since, price] = entry.split(':');
    if (since !== undefined && price !== undefined && timeMs > BigInt(since)) return BigInt(price);
  }
  return newest;
}
