import { pino } from 'pino';
import { produceBlock } from '../../../src/chain/production/produce-block.js';
import { ProducerKeys } from '../../../src/chain/production/producer-keys.js';
import { parseFlags } from '../../../src/config/flags.js';
import { loadConfig } from '../../../src/config/load-config.js';
import { openChain } from '../../../src/node/open-chain.js';
import { addressBytes } from '../../../src/primitives/address.js';
import { present } from '../../../src/primitives/assert.js';
import { scheduledWitness, slotTime } from '../../../src/state-transition/consensus/schedule.js';

// Produces empty blocks in a new data folder until its log has the given number of entries. Prints the head.
const [, , file = '', dataDir = '', entries = '0'] = process.argv;
const { config } = loadConfig({ file, flags: parseFlags(['--witness']).flags, readsKeys: true });
const chain = await openChain({ config, dataDir, log: pino({ level: 'fatal' }) });
const keys = new ProducerKeys(config.addressPrefix);
for (const key of config.witness.privateKeys) keys.add(key);
while (chain.ledger.position.seq + 1 < Number(entries)) {
  const witness = scheduledWitness(chain.state, 1);
  const { headNumber, headId } = chain.ledger.position;
  const block = produceBlock(chain.state, chain.mempool, {
    witness,
    key: present(keys.get(addressBytes(witness)), 'the only witness has a key'),
    timeMs: slotTime(chain.state, 1),
    parent: { number: headNumber, id: headId, stateRoot: () => chain.headStateRoot() },
    isSorted: false,
    isTimeUp: () => false,
  });
  chain.importBlock(present(block, 'the key signs for the witness'), { isOwn: true });
}
await chain.ledger.close();
console.log(chain.ledger.position.headNumber);
process.exit(0);
