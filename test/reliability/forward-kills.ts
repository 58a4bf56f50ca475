import type { Measurement } from './run.js';
import { runTests } from './support/run-tests.js';

const test = 'test/system/kafka/kafka-crash.test.ts';
/** Number of kills of the node per kill of the broker. */
const NODE_KILLS = 5;
/** Maximum time of one kill in seconds, including the restart and the checks. */
const KILL_S = 60;

export const forwardKills: Measurement = {
  title: 'loses no record on kill -9 of node and broker while forwarding a chain with reorgs',
  gate: 15,
  night: 360,
  async run({ count, random }) {
    const broker = Math.max(1, Math.round(count / (NODE_KILLS + 1)));
    const kills = `${Math.max(1, count - broker)}+${broker}`;
    const env = { TRONICLE_FORWARD_KILLS: kills, TRONICLE_SEED: String(Math.floor(random() * 1e9)) };
    const output = await runTests(test, env, count * KILL_S);
    const records = /# (\d+) records/.exec(output)?.[1];
    if (records === undefined) throw new Error(`${kills} kills: ${output.slice(-2000)}`);
    return `${kills} kills, ${records} records, each once, in order`;
  },
};
