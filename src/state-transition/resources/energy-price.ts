import { toUtf8 } from '../../primitives/bytes.js';

/** What the chain says of the price of energy. */
interface EnergyPrices {
  /** `time:price,…` in ms and SUN, oldest first: the property `ENERGY_PRICE_HISTORY`. */
  readonly history: Uint8Array;
  /** SUN, the newest one: the property `ENERGY_FEE`. */
  readonly newest: bigint;
}

/**
 * SUN per energy that held at a time; the newest price where the history does not reach back.
 * Reference: Wallet.getEnergyFee(long).
 */
export function energyPriceAt({ history, newest }: EnergyPrices, timeMs: bigint): bigint {
  for (const entry of toUtf8(history).split(',').reverse()) {
    const [since, price] = entry.split(':');
    if (since !== undefined && price !== undefined && timeMs > BigInt(since)) return BigInt(price);
  }
  return newest;
}
