import { type Devnet, startDevnet, type Teardown } from '../support/devnet.js';
import { untilServed } from '../support/until.js';
import { addressOf } from './account-bank.js';

/** TronWeb's suite has the proposals of the account whose key is 1. */
export const WITNESS_KEY = '1'.padStart(64, '0');

/** The witness of `config/devnet.conf`. */
const OWN_WITNESS = 'TJfmyR55zYqC9xUzuCuPA4hHc8TBnoUG7P';
/** Of the main net's block 0, which TronWeb's suite looks for. */
const GENESIS_PARENT = '957dc2d350daecc7bb6a38f3938ebde0a0c1cedafe15f0edae4256a2907449f6';
/** SUN for a transaction with a memo, as on the main net. */
const MEMO_FEE = 1_000_000;

/**
 * A private network of the compiled node, whose only witness has the key 1, when its proposals are in force: accounts
 * made before have permissions that do not know them. It runs in real time, because the suites compare the chain's
 * clock with theirs.
 */
export async function startForeignNetwork(t: Teardown): Promise<Devnet> {
  const devnet = await startDevnet(t, { edit: asSuitesExpect });
  await untilServed('the first proposals', async () => {
    const { chainParameter } = await devnet.post<{ chainParameter: readonly { key: string; value?: number }[] }>(
      '/wallet/getchainparameters',
      {},
    );
    return chainParameter.some(({ key, value }) => key === 'getAllowCancelAllUnfreezeV2' && value === 1);
  });
  return devnet;
}

function asSuitesExpect(config: string): string {
  return config
    .replace(/(?<=localwitness = \[ )\w+/, WITNESS_KEY)
    .replaceAll(OWN_WITNESS, addressOf(WITNESS_KEY))
    .replace(/(?<=parentHash = "0x)0+/, GENESIS_PARENT)
    .replace('committee {', `committee {\n  memoFee = ${MEMO_FEE}`);
}
