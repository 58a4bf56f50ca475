import { type Devnet, startDevnet, type Teardown } from '../support/devnet.js';
import { addressOf } from './account-bank.js';

/** Private key 1. In TronWeb's suite, the account of this key creates the proposals, so it must be a witness. */
export const WITNESS_KEY = '1'.padStart(64, '0');

/** Address of the witness in `config/devnet.conf`. */
const OWN_WITNESS = 'TJfmyR55zYqC9xUzuCuPA4hHc8TBnoUG7P';
/** Parent id of block 0 of the main net. TronWeb's suite expects it. */
const GENESIS_PARENT = '957dc2d350daecc7bb6a38f3938ebde0a0c1cedafe15f0edae4256a2907449f6';

/**
 * Starts a private network of the compiled node. Its only witness has the private key 1. The network runs in real time,
 * because the suites compare the time of the chain with their own clock.
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
