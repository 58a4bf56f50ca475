import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import t, { type Test } from 'tap';
import { EventStream } from '../../../src/api/graphql/events/event-stream.js';
import { LogTail } from '../../../src/api/graphql/events/log-tail.js';
import { createGraphqlSource } from '../../../src/api/graphql/graphql-source.js';
import type { Chain } from '../../../src/chain/chain.js';
import { parseFlags } from '../../../src/config/flags.js';
import { loadConfig } from '../../../src/config/load-config.js';
import { bootstrap } from '../../../src/node/bootstrap/bootstrap.js';
import type { HistoryRequest } from '../../../src/node/bootstrap/import-blocks.js';
import { chainRules, genesisOf } from '../../../src/node/chain-config.js';
import { present } from '../../../src/primitives/assert.js';
import { toHex, toInt64, utf8 } from '../../../src/primitives/bytes.js';
import { storeId } from '../../../src/projections/state/stores.js';
import { decodeBlock } from '../../../src/state-transition/block/decoded-block.js';
import type { BlockPosition } from '../../../src/streams/follow/block-position.js';
import { logMoves, type MoveForm } from '../../../src/streams/follow/log-moves.js';
import { solidifiedBlocks } from '../../../src/streams/follow/solid-blocks.js';
import { openRecorded } from '../../conformance/replay-session.js';
import { api, rules } from '../../support/graphql/served-ledger.js';
import { eachItem } from '../../support/log/each-item.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

const golden = fileURLToPath(new URL('../../golden', import.meta.url));
const lite = join(golden, 'java-data', 'lite-tour');
/** Number of blocks that the test imports above the base. */
const BLOCKS = 16;

/** Opens a chain whose log starts with the state of a java-tron folder, and imports blocks above it. */
async function importedChain(t: Test, history: HistoryRequest = 300): Promise<Chain> {
  const dataDir = join(temporaryFolder(t), 'data');
  const { config } = loadConfig({ file: join(lite, 'config.conf'), flags: parseFlags([]).flags });
  const genesisId = genesisOf(config, chainRules(config)).id;
  const source = join(lite, 'output-directory.tgz');
  const { head } = await bootstrap({ source, dataDir, genesisId, history });
  const chain = await openRecorded(lite, dataDir);
  t.teardown(() => chain.ledger.close());
  const recorded = gunzipSync(readFileSync(join(golden, 'system-tour', 'blocks.ndjson.gz')))
    .toString()
    .trim();
  for (const line of recorded.split('\n')) {
    const { num, block = '' } = JSON.parse(line) as { readonly num: number; readonly block?: string };
    if (num > head.number && num <= head.number + BLOCKS) chain.importBlock(decodeBlock(Buffer.from(block, 'hex')));
  }
  await chain.ledger.flush();
  return chain;
}

/** Returns the solidified number in the state after a block. */
function solidifiedAt({ ledger }: Chain, number: number): number {
  const row = ledger.at(number).get(storeId('properties'), utf8('LATEST_SOLIDIFIED_BLOCK_NUM'));
  return Number(toInt64(present(row, 'every state has the solidified number')));
}

t.test('streams start after an imported state, and restart after each block above it', async (t) => {
  const chain = await importedChain(t);
  const { ledger } = chain;
  const base = present(ledger.base, 'the log starts with a base');
  const first = { seq: base.seq, number: base.number, id: toHex(base.id) };
  const numbers = Array.from({ length: BLOCKS }, (_, at) => base.number + 1 + at);
  const positions: readonly BlockPosition[] = [
    first,
    ...numbers.map((number) => {
      const { seq, id } = present(ledger.block(number), 'the log contains the block');
      return { seq, number, id: toHex(id) };
    }),
  ];
  const solidOf = async (after?: BlockPosition): Promise<readonly (readonly number[])[]> => {
    const found: number[][] = [];
    for await (const { entry, solidifiedBefore } of eachItem(solidifiedBlocks({ ledger, after, follow: false })))
      found.push([entry.number, solidifiedBefore]);
    return found;
  };
  const solid = numbers
    .filter((number) => number <= ledger.position.solidifiedNumber)
    .map((number) => [number, solidifiedAt(chain, number - 1)]);
  t.ok(solid.length > 0, 'some of the imported blocks are solidified');
  t.same(await solidOf(), solid, 'solidified blocks from the start of the log');
  for (const position of positions)
    t.same(
      await solidOf(position),
      solid.filter(([number = 0]) => number > position.number),
      `solidified blocks after block ${position.number}`,
    );

  const movesOf = async (form: MoveForm, after?: BlockPosition): Promise<readonly (readonly unknown[])[]> => {
    const found: unknown[][] = [];
    for await (const { change, number, block } of eachItem(logMoves({ ledger, after, follow: false, form })))
      if (change !== 'solidified') found.push([change, number, block?.solidifiedNumber]);
    return found;
  };
  const applied = numbers.map((number) => ['applied', number, solidifiedAt(chain, number)] as const);
  t.same(await movesOf({}), applied, 'applied blocks from the start of the log');
  for (const form of [{}, { wholeSwitches: true }, { polled: true }])
    for (const position of positions)
      t.same(
        (await movesOf(form, position)).map(([, number]) => number),
        numbers.filter((number) => number > position.number),
        `applied blocks after block ${position.number}, ${JSON.stringify(form)}`,
      );
  for (const position of positions)
    t.same(
      await movesOf({}, position),
      applied.filter(([, number]) => number > position.number),
      `solidified numbers after block ${position.number}`,
    );
});

t.test('a subscription without imported blocks reports the solidified blocks above the imported state', async (t) => {
  const { ledger } = await importedChain(t, 'none');
  const base = present(ledger.base, 'the log starts with a base').number;
  const tail = new LogTail(ledger);
  t.teardown(() => tail.close());
  const { solidifiedNumber } = ledger.position;
  const expected = Array.from({ length: solidifiedNumber - base }, (_, at) => base + 1 + at);
  t.ok(expected.length > 0, 'some of the blocks above the imported state are solidified');
  for (const seq of [0, 1, 2]) {
    const stream = new EventStream<number>({
      source: createGraphqlSource({ ledger, rules: rules(), api }),
      tail,
      finality: 'SOLIDIFIED',
      after: Buffer.from(`n:${seq}:0:0`).toString('base64url'),
      select: ({ number }) => [number],
    });
    const found: number[] = [];
    for (const _ of expected) found.push((await stream.next()).value.item);
    t.same(found, expected, `after log entry ${seq}`);
    await stream.return();
  }
});
