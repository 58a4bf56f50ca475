import { toUtf8 } from '../../log/domain/bytes.js';
/** SUN per energy that held at a time; the newest price where the history does not reach back. Reference: Wallet.getEnergyFee(long). */
export function energyPriceAt({ history, newest }, timeMs) {
    for (const entry of toUtf8(history).split(',').reverse()) {
        const [since, price] = entry.split(':');
        if (since !== undefined && price !== undefined && timeMs > BigInt(since))
            return BigInt(price);
    }
    return newest;
}
//# sourceMappingURL=energy-price.js.map