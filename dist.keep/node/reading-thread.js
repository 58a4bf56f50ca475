import { pino } from 'pino';
import { openLedger } from '../projections/open-ledger.js';
import { chainRules, ledgerOptions } from './chain-config.js';
import { readSpendKey } from './open-chain.js';
/** A configuration as it may cross threads: the rule of `node.shutdown.BlockTime` holds functions. */
export function configForThread(config) {
    const { shutdown: _, ...node } = config.node;
    return { ...config, node };
}
/**
 * What a thread needs that reads the node's folder for itself.
 * @param write takes lines of the log: one thread writes it
 */
export async function openReadingThread({ dataDir, config: sent, level, bell, clock }, write) {
    const log = pino({ level }, { write });
    const config = sent;
    readSpendKey(config.tronicle.sapling.spendKey);
    const ledger = await openLedger({
        dataDir,
        ...ledgerOptions(config),
        log,
        readOnly: true,
        follows: true,
        bell,
    });
    const now = () => Math.floor(clock.now + (Date.now() - clock.at) * clock.speed);
    return { config, rules: chainRules(config), ledger, log, now };
}
//# sourceMappingURL=reading-thread.js.map