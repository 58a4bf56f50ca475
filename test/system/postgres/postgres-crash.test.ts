import { setTimeout as sleep } from 'node:timers/promises';
import t from 'tap';
import { seeded, temporaryFolder } from '../../support/projections/chain.js';
import { chainIds, killDelay, shuffledKills, startForwarding } from '../../support/streams/forwarding.js';
import { PostgresServer } from '../../support/streams/postgres-server.js';
import { until } from '../../support/until.js';

/** Number of kills of the node and of the database. The default is `12+4`; a long run sets `120+40`. */
const [NODE_KILLS = 12, DATABASE_KILLS = 4] = (process.env['TRONICLE_POSTGRES_KILLS'] ?? '12+4').split('+').map(Number);
const SEED = Number(process.env['TRONICLE_SEED'] ?? 7);

t.test(
  `the tables equal the log after ${NODE_KILLS} kills of the node and ${DATABASE_KILLS} of the database`,
  async (t) => {
    t.comment(`TRONICLE_SEED=${SEED}`);
    const random = seeded(SEED);
    const dataDir = temporaryFolder(t);
    const server = await PostgresServer.start();
    t.teardown(() => server.close());
    const shared = { type: 'postgres', url: server.url(), topics: ['block', 'transaction'], partitionBlocks: 1000 };
    const sinks = ['solidified', 'applied'].map((finality) => ({
      ...shared,
      name: finality,
      schema: finality,
      finality,
    }));
    const height = 150 + 25 * NODE_KILLS;
    const kills = shuffledKills({ node: NODE_KILLS, database: DATABASE_KILLS }, random);
    // Counts rows of the sink `solidified` that are written twice. A sink that resumes at the right block writes none.
    const repeats = await countRepeats(server);
    let hits = 0;
    let writeMs: number | undefined;
    for (const [round, kill] of kills.entries()) {
      const running = startForwarding({ dataDir, sinks, height, seed: SEED + round, writeMs });
      writeMs = await running.hasSolidified;
      if (round === 0) await repeats.begin();
      await sleep(killDelay(writeMs, random));
      if (running.isUnderWay()) hits++;
      if (kill === 'database') {
        await server.kill();
        await sleep(random(500));
        await server.restart();
        await sleep(random(1000));
      }
      running.process.kill('SIGKILL');
      await running.exit;
    }
    t.ok(2 * hits >= kills.length, `${hits} of ${kills.length} kills found a write under way`);
    const last = startForwarding({ dataDir, sinks, height, seed: SEED + kills.length, isPaced: false });
    t.equal(await last.exit, 0, 'the last process forwards the remaining blocks');

    let rows = 0;
    for (const { schema, finality } of sinks) {
      const from = `from ${schema}.blocks order by block_number`;
      const blocks = await server.query<{ id: string }>(`select block_hash as id ${from}`);
      const transactions = await server.query<{ id: string }>(
        `select transaction_id as id from ${schema}.transactions order by block_number, transaction_index`,
      );
      const isApplied = finality === 'applied';
      const expected = await chainIds(dataDir, isApplied ? 'head' : 'solidified');
      // The log has no `applied` event for genesis, so a sink with finality `applied` does not store genesis.
      t.strictSame(idsIn(blocks), expected.blocks.slice(isApplied ? 1 : 0), `${finality}: blocks`);
      t.strictSame(idsIn(transactions), expected.transactions, `${finality}: transactions`);
      rows += blocks.length + transactions.length;
    }
    t.equal(await repeats.count(), 0, 'no row of a solidified block was written twice');
    t.comment(`${rows} rows`);
  },
);

function idsIn(rows: readonly { readonly id: string }[]): string[] {
  return rows.map(({ id }) => id);
}

/**
 * Returns functions that count updates of rows in the schema `solidified`. They use a trigger, because an upsert hides
 * a repeated row.
 */
async function countRepeats(server: PostgresServer): Promise<{ begin(): Promise<void>; count(): Promise<number> }> {
  await server.query('create table repeats (block_number bigint)');
  await server.query(
    `create function note_repeat() returns trigger language plpgsql as
     'begin insert into public.repeats values (new.block_number); return new; end'`,
  );
  return {
    begin: async () => {
      // Waits for the tables of the sink `solidified`. The sink `applied` may have created its tables earlier.
      await until('the tables', async () => {
        const [row] = await server.query<{ isThere: boolean }>(
          `select to_regclass('solidified.blocks') is not null and to_regclass('solidified.transactions') is not null as "isThere"`,
        );
        return row?.isThere;
      });
      for (const table of ['blocks', 'transactions'])
        await server.query(
          `create trigger repeats after update on solidified.${table} for each row execute function public.note_repeat()`,
        );
    },
    count: async () => {
      const [row] = await server.query<{ count: number }>('select count(*)::integer as count from repeats');
      return row!.count;
    },
  };
}
