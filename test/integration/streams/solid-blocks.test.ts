import t from 'tap';
import { toHex } from '../../../src/primitives/bytes.js';
import type { WriterLedger } from '../../../src/projections/ledger/writer-ledger.js';
import type { BlockPosition } from '../../../src/streams/follow/block-position.js';
import { RevertedBlockError, solidifiedBlocks } from '../../../src/streams/follow/solid-blocks.js';
import { eachItem } from '../../support/log/each-item.js';
import { temporaryFolder } from '../../support/projections/chain.js';
import { openChain } from '../../support/streams/genesis.js';
import { appendTransfers } from '../../support/streams/transfer-chain.js';

async function read(ledger: WriterLedger, after?: BlockPosition): Promise<BlockPosition[]> {
  await ledger.flush();
  const places: BlockPosition[] = [];
  for await (const { entry } of eachItem(solidifiedBlocks({ ledger, after, follow: false }))) {
    places.push({ seq: entry.seq, number: entry.number, id: toHex(entry.id) });
  }
  return places;
}

function numbers(places: readonly BlockPosition[]): number[] {
  return places.map(({ number }) => number);
}

t.test('emits every block if the solidified height rises by several blocks, genesis first', async (t) => {
  const ledger = await openChain(temporaryFolder(t));
  t.strictSame(numbers(await read(ledger)), [0]);
  for (let at = 0; at < 9; at++) appendTransfers(ledger);
  t.strictSame(numbers(await read(ledger)), [0]);
  appendTransfers(ledger, { solidified: 7 });
  t.strictSame(numbers(await read(ledger)), [0, 1, 2, 3, 4, 5, 6, 7]);
  await ledger.close();
});

t.test('skips blocks of side branches and resumes at any position', async (t) => {
  const ledger = await openChain(temporaryFolder(t));
  for (let at = 0; at < 4; at++) appendTransfers(ledger, { salt: 'a' });
  for (let at = 0; at < 3; at++) ledger.revert();
  for (let at = 0; at < 4; at++) appendTransfers(ledger, { salt: 'b', ...(at === 3 && { solidified: 3 }) });
  for (let at = 0; at < 2; at++) ledger.revert();
  for (let at = 0; at < 5; at++) appendTransfers(ledger, { salt: 'c', ...(at > 1 && { solidified: 4 + at - 2 }) });
  const all = await read(ledger);
  t.strictSame(
    all.map(({ id }) => id),
    all.map(({ number }) => toHex(ledger.blockIdAt(number)!)),
  );
  for (const [at, position] of all.entries()) t.strictSame(await read(ledger, position), all.slice(at + 1));
  await ledger.close();
});

t.test('ends the stream on a reorg of a forwarded block and names both blocks', async (t) => {
  const ledger = await openChain(temporaryFolder(t));
  const old = [appendTransfers(ledger, { salt: 'a' }), appendTransfers(ledger, { salt: 'a', solidified: 2 })];
  for (let at = 0; at < 2; at++) ledger.revert();
  const by = appendTransfers(ledger, { salt: 'b' });
  appendTransfers(ledger, { salt: 'b' });
  appendTransfers(ledger, { salt: 'b', solidified: 3 });
  await ledger.flush();
  for (const after of [undefined, { seq: 2, number: 2, id: toHex(old[1]!.id) }]) {
    const received: number[] = [];
    const reading = (async () => {
      for await (const { entry } of eachItem(solidifiedBlocks({ ledger, after, follow: false })))
        received.push(entry.number);
    })();
    const error = await reading.then(
      () => undefined,
      (thrown: unknown) => thrown as RevertedBlockError,
    );
    t.ok(error instanceof RevertedBlockError);
    t.match(error?.message, toHex(old[0]!.id));
    t.match(error?.message, toHex(by.id));
    t.strictSame(received, after === undefined ? [0, 1, 2] : []);
  }
  await ledger.close();
});

t.test('ignores forwarded blocks that a failed reorg reverted and restored', async (t) => {
  const ledger = await openChain(temporaryFolder(t));
  appendTransfers(ledger, { salt: 'a' });
  appendTransfers(ledger, { salt: 'a', solidified: 2 });
  for (let at = 0; at < 2; at++) ledger.revert();
  for (let at = 0; at < 2; at++) appendTransfers(ledger, { salt: 'a' });
  appendTransfers(ledger, { salt: 'a', solidified: 3 });
  t.strictSame(numbers(await read(ledger)), [0, 1, 2, 3]);
  await ledger.close();
});

t.test('continues a new folder of the same chain after the forwarded block, and rejects another chain', async (t) => {
  const ledger = await openChain(temporaryFolder(t));
  for (let at = 0; at < 6; at++) appendTransfers(ledger, { salt: 'a', ...(at === 5 && { solidified: 5 }) });
  const id = toHex(ledger.blockIdAt(3)!);
  t.strictSame(numbers(await read(ledger, { seq: 4711, number: 3, id })), [4, 5]);
  t.strictSame(numbers(await read(ledger, { seq: 4711, number: 9, id: '00'.repeat(32) })), []);
  await t.rejects(read(ledger, { seq: 3, number: 3, id: '00'.repeat(32) }), { code: 'SOLIDIFIED_BLOCK_UNDONE' });
  await ledger.close();
});
