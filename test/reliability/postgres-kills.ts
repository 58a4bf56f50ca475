import type { Measurement } from './run.js';
import { runTests } from './support/run-tests.js';

const test = 'test/system/postgres/postgres-crash.test.ts';
/** Number of kills of the node per kill of the database. */
const NODE_KILLS = 3;
/** Maximum time of one kill in seconds, including the restart and the checks. */
const KILL_S = 60;

export const postgresKills: Measurement = {
  title: 'tables equal the log after kill -9 of node and PostgreSQL while forwarding a chain with reorgs',
  gate: 16,
  night: 160,
  async run({ count, random }) {
    const database = Math.max(1, Math.round(count / (NODE_KILLS + 1)));
    const kills = `${Math.max(1, count - database)}+${database}`;
    const env = { TRONICLE_POSTGRES_KILLS: kills, TRONICLE_SEED: String(Math.floor(random() * 1e9)) };
    const output = await runTests(test, env, count * KILL_S);
    const rows = /# (\d+) rows/.exec(output)?.[1];
    if (rows === undefined) throw new Error(`${kills} kills: ${output.slice(-2000)}`);
    return `${kills} kills, ${rows} rows, each once`;
  },
};
