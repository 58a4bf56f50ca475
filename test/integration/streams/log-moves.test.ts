import t, { type Test } from 'tap';
import { present } from '../../../src/primitives/assert.js';
import { toHex } from '../../../src/primitives/bytes.js';
import type { WriterLedger } from '../../../src/projections/ledger/writer-ledger.js';
import { logMoves, type MoveForm } from '../../../src/streams/follow/log-moves.js';
import { movesSince } from '../../../src/streams/follow/past-moves.js';
import { eachItem } from '../../support/log/each-item.js';
import { temporaryFolder } from '../../support/projections/chain.js';
import { openChain } from '../../support/streams/genesis.js';
import { appendTransfers } from '../../support/streams/transfer-chain.js';

/**
 * Returns one text per block event of the log: kind of change, height, solidified height of the block, and the blocks
 * that the event solidifies.
 */
async function movesOf(ledger: WriterLedger, form: MoveForm): Promise<string[]> {
  await ledger.flush();
  const moves: string[] = [];
  const after = { seq: 0, number: 0, id: toHex(ledger.blockIdAt(0) ?? new Uint8Array(0)) };
  for await (const { change, number, block, solid } of eachItem(logMoves({ ledger, after, follow: false, form }))) {
    const of = solid.map((one) => `${one.number} by ${one.solidifiedNumber}`);
    moves.push([change, number, block?.solidifiedNumber ?? '-', ...of].join(' '));
  }
  return moves;
}

/**
 * Appends four blocks, of which two are solidified. Then appends a branch of three blocks, which replaces the last two.
 */
async function switched(t: Test): Promise<WriterLedger> {
  const ledger = await openChain(temporaryFolder(t));
  t.teardown(() => ledger.close());
  for (let number = 1; number <= 4; number++)
    appendTransfers(ledger, { salt: 'a', ...(number === 4 && { solidified: 2 }) });
  for (let number = 4; number > 2; number--) ledger.revert();
  for (let number = 3; number <= 5; number++)
    appendTransfers(ledger, { salt: 'b', ...(number === 5 && { solidified: 3 }) });
  return ledger;
}

const BEFORE = ['applied 1 0', 'applied 2 0', 'applied 3 0', 'applied 4 2'];

t.test('4.7.2 emits a block that a reorg solidified only after the next block', async (t) => {
  const ledger = await switched(t);
  const moves = await movesOf(ledger, {});
  t.same(moves.slice(0, 5), [...BEFORE, 'solidified 2 - 1 by 2 2 by 2']);
  t.same(moves.slice(-2), ['applied 5 3', 'solidified 3 -']);
  appendTransfers(ledger, { salt: 'b' });
  t.same((await movesOf(ledger, {})).slice(-1), ['applied 6 3 3 by 3']);
});

t.test('after two reorgs, emits only blocks that are still solidified at the next block', async (t) => {
  const ledger = await switched(t);
  for (let number = 5; number > 2; number--) ledger.revert();
  for (let number = 3; number <= 7; number++) appendTransfers(ledger, { salt: 'c' });
  t.same((await movesOf(ledger, {})).slice(-1), ['applied 7 0']);
  appendTransfers(ledger, { salt: 'c', solidified: 4 });
  t.same((await movesOf(ledger, {})).slice(-2), ['applied 8 4', 'solidified 4 - 3 by 4 4 by 4']);
});

t.test('4.8.2 emits the blocks of a reorg when the reorg ends', async (t) => {
  const moves = await movesOf(await switched(t), { wholeSwitches: true });
  t.same(moves.slice(5), [
    'reverted 4 2',
    'reverted 3 0',
    'applied 3 3',
    'applied 4 3',
    'applied 5 3',
    'solidified 3 -',
  ]);
});

t.test('event service 1 reports a reverted block with the solidified height of its first report', async (t) => {
  const moves = await movesOf(await switched(t), { wholeSwitches: true, polled: true });
  t.same(moves, [
    ...BEFORE,
    'solidified 2 - 1 by 0 2 by 0',
    'reverted 4 2',
    'reverted 3 0',
    'applied 3 3',
    'applied 4 3',
    'applied 5 3',
    'solidified 3 - 3 by 3',
  ]);
});

t.test('event service 1 reports a block as applied before it reports it as solidified', async (t) => {
  const ledger = await openChain(temporaryFolder(t));
  t.teardown(() => ledger.close());
  for (let number = 1; number <= 2; number++) appendTransfers(ledger, { solidified: number });
  const moves = await movesOf(ledger, { polled: true });
  t.same(moves, ['applied 1 0', 'solidified 1 - 1 by 0', 'applied 2 1', 'solidified 2 - 2 by 1']);
});

t.test('event service 1 reports no block of a failed reorg', async (t) => {
  const ledger = await openChain(temporaryFolder(t));
  t.teardown(() => ledger.close());
  for (let number = 1; number <= 3; number++) appendTransfers(ledger, { salt: 'a' });
  for (let number = 3; number > 1; number--) ledger.revert();
  appendTransfers(ledger, { salt: 'b' });
  ledger.revert();
  for (let number = 2; number <= 3; number++) appendTransfers(ledger, { salt: 'a' });
  appendTransfers(ledger, { salt: 'a' });
  const moves = await movesOf(ledger, { polled: true });
  t.same(
    moves.filter((move) => !move.endsWith('-')),
    ['applied 1 0', 'applied 2 0', 'applied 3 0', 'applied 4 0'],
  );
  t.equal(moves.length, 10, 'the position advances');
});

t.test('emits past blocks of the canonical branch only, each first as applied and then as solidified', async (t) => {
  const ledger = await switched(t);
  for (const solidified of [4, undefined, 6])
    appendTransfers(ledger, { salt: 'b', ...(solidified !== undefined && { solidified }) });
  await ledger.flush();
  const position = (number: number) => {
    const { seq, id } = present(ledger.block(number), 'the log has the block');
    return { seq, number, id: toHex(id) };
  };
  const received = async (after: number, floor: number): Promise<string[]> => {
    const moves: string[] = [];
    const form = { polled: true };
    for await (const { change, number, block, solid } of eachItem(
      movesSince({
        ledger,
        after: position(after),
        floor: position(floor),
        follow: false,
        form,
      }),
    ))
      moves.push([change, number, block?.solidifiedNumber ?? '-', ...solid.map((one) => `${one.number}`)].join(' '));
    return moves;
  };
  const behind = ['solidified 3 -', 'applied 6 4', 'solidified 4 -', 'applied 7 4', 'applied 8 6', 'solidified 6 - 6'];
  t.same(await received(1, 5), ['applied 2 6 2', 'applied 3 6 3', 'applied 4 6 4', 'applied 5 6 5', ...behind]);
  t.same(await received(5, 5), behind, 'no block below the first one is reported as solidified');
});
