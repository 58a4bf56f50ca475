import t from 'tap';
import { apiRelease } from '../../../../src/api/releases/releases.js';
import { Block, BlockHeader, BlockHeaderRaw } from '../../../../src/codec/generated/messages.js';
import { quotingInt64 } from '../../../../src/encoding/json/int64-form.js';
import { printBlock, printStoredBlock } from '../../../../src/encoding/json/print-transaction.js';

t.test('prints a stored block once for each format and entry', async (t) => {
  const storedAt = (number: bigint): { block: Uint8Array } => {
    const rawData = Object.assign(new BlockHeaderRaw(), {
      number,
      witnessAddress: Buffer.from(`41${'ab'.repeat(20)}`, 'hex'),
    });
    return {
      block: Block.encode(Object.assign(new Block(), { blockHeader: Object.assign(new BlockHeader(), { rawData }) })),
    };
  };
  const [first, second] = [storedAt(1n), storedAt(2n)];
  for (const visible of [false, true, false]) {
    const options = { visible, release: apiRelease('4.7.2'), addressPrefix: 0x41 };
    for (const stored of [first, second]) {
      t.equal(printStoredBlock(stored, options), printBlock(Block.decode(stored.block), options));
    }
  }
  const options = { visible: false, release: apiRelease('4.8.2'), addressPrefix: 0x41 };
  t.match(
    quotingInt64(() => printStoredBlock(first, options)),
    '"number":"1"',
  );
  t.match(printStoredBlock(first, options), '"number":1', 'a request with int64_as_string changes no other answer');
  t.match(
    printStoredBlock(first, { visible: true, release: apiRelease('4.7.2'), addressPrefix: 0x41 }),
    '"witness_address":"T',
  );
  t.match(
    printStoredBlock(first, { visible: false, release: apiRelease('4.7.2'), addressPrefix: 0x41 }),
    '"witness_address":"41ab',
  );
});
