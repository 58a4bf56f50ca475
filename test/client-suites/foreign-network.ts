import { type Devnet, startDevnet, type Teardown } from '../support/devnet.js';
import { addressOf } from './account-bank.js';

/** TronWeb's suite has the proposals of the account whose key is 1. */
export const WITNESS_KEY = '1'.padStart(64, '0');

/** The witness of `config/devnet.conf`. */
const OWN_WITNESS = 'TJfmyR55zYqC9xUzuCuPA4hHc8TBnoUG7P';
/** Parent id of the main net's block 0, which TronWeb's suite expects. */
const GENESIS_PARENT = '957dc2d350daecc7bb6a38f3938ebde0a0c1cedafe15f0edae4256a2907449f6';

/**
 * Starts a private network of the compiled node, whose only witness has the key 1. It runs in real time, because the
 * suites compare the chain's clock with theirs.
 */
export function startForeignNetwork(t: Teardown): Promise<Devnet> {
  return startDevnet(t, { edit: asSuitesExpect });
}

function asSuitesExpect(config: string): string {
  return config
    .replace(/(?<=localwitness = \[ )\w+/, WITNESS_KEY)
    .replaceAll(OWN_WITNESS, addressOf(WITNESS_KEY))
    .replace(/(?<=parentHash = "0x)0+/, GENESIS_PARENT);
}
