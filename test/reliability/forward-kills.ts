import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { Measurement } from './run.js';

const tap = fileURLToPath(new URL('../../node_modules/.bin/tap', import.meta.url));
const test = 'test/api/streams/kafka-crash.test.ts';
/** Kills of the node for one of the broker. */
const NODE_KILLS = 5;
/** ms that one kill may take with everything around it. */
const KILL_MS = 60_000;

export const forwardKills: Measurement = {
  title: 'kill -9 of node and broker while a chain with switches is forwarded',
  gate: 36,
  night: 360,
  async run({ count, random }) {
    const broker = Math.max(1, Math.round(count / (NODE_KILLS + 1)));
    const kills = `${Math.max(1, count - broker)}+${broker}`;
    const env = {
      ...process.env,
      TRONICLE_FORWARD_KILLS: kills,
      TRONICLE_SEED: String(Math.floor(random() * 1e9)),
    };
    const limits = ['--timeout', String(Math.ceil((count * KILL_MS) / 1000))];
    const options = ['--disable-coverage', '--allow-empty-coverage', ...limits, test];
    const child = spawn(tap, options, { env, stdio: ['ignore', 'pipe', 'inherit'] });
    let output = '';
    child.stdout.on('data', (chunk) => {
      output += chunk;
    });
    const code = await new Promise<number | null>((resolve) => child.on('close', resolve));
    const records = /# (\d+) records/.exec(output)?.[1];
    if (code !== 0 || records === undefined) throw new Error(`${kills} kills: ${output.slice(-2000)}`);
    return `${kills} kills, ${records} records, each once, in order`;
  },
};
