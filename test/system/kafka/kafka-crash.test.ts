import { type ChildProcess, spawn } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import t from 'tap';
import { Block } from '../../../src/codec/generated/messages.js';
import { toHex } from '../../../src/primitives/bytes.js';
import { seeded, temporaryFolder } from '../../support/projections/chain.js';
import { Broker, KILLED } from '../../support/streams/broker.js';
import { brokenLinks, type Consumed, consumeAll } from '../../support/streams/consume.js';
import { openChain } from '../../support/streams/genesis.js';

/** `30+6` here, `300+60` at night: kills of the node and of the broker. */
const [NODE_KILLS = 30, BROKER_KILLS = 6] = (process.env['TRONICLE_FORWARD_KILLS'] ?? '30+6').split('+').map(Number);
const SEED = Number(process.env['TRONICLE_SEED'] ?? 7);
const child = fileURLToPath(new URL('../../support/streams/forwarding-child.ts', import.meta.url));

t.test(
  `loses, duplicates and reorders nothing over ${NODE_KILLS} kills of the node and ${BROKER_KILLS} of the broker`,
  async (t) => {
    t.comment(`TRONICLE_SEED=${SEED}`);
    const random = seeded(SEED);
    const dataDir = temporaryFolder(t);
    const broker = await Broker.start(KILLED);
    t.teardown(() => broker.close());
    const height = 150 + 40 * NODE_KILLS;
    const kills = shuffled(
      [...Array(NODE_KILLS).fill('node'), ...Array(BROKER_KILLS).fill('broker')] as string[],
      random,
    );
    for (const [round, kill] of kills.entries()) {
      const running = start([dataDir, broker.bootstrap, String(height), String(SEED + round)]);
      await running.hasForwarded;
      await sleep(random(700));
      if (kill === 'broker') {
        broker.crash();
        await sleep(random(500));
        broker.start();
        await sleep(random(1500));
      }
      running.process.kill('SIGKILL');
      await running.exit;
    }
    const last = start([dataDir, broker.bootstrap, String(height), String(SEED + kills.length)]);
    t.equal(await last.exit, 0, 'the last one forwards all that is left');

    const records = await consumeAll(broker.client(), ['tronicle.transaction', 'tronicle.block']);
    t.strictSame(brokenLinks(records), []);
    t.strictSame(idsOf(records, 'tronicle.block', 'blockHash'), await expected(dataDir, 'blocks'));
    t.strictSame(idsOf(records, 'tronicle.transaction', 'transactionId'), await expected(dataDir, 'transactions'));
    t.comment(`${records.length} records`);
  },
);

/** In the order of block and place: that of each partition is proved by the headers. */
function idsOf(records: readonly Consumed[], topic: string, member: string): string[] {
  const place = ({ headers }: Consumed): number => Number(headers['blockNum']) * 1e6 + Number(headers['index']);
  return records
    .filter((record) => record.topic === topic)
    .sort((a, b) => place(a) - place(b))
    .map(({ value }) => (JSON.parse(value) as Record<string, string>)[member]!);
}

async function expected(dataDir: string, what: 'blocks' | 'transactions'): Promise<string[]> {
  const ledger = await openChain(dataDir);
  const ids: string[] = [];
  for (let number = 0; number <= ledger.position.solidifiedNumber; number++) {
    const entry = ledger.block(number)!;
    if (what === 'blocks') ids.push(toHex(entry.id));
    else ids.push(...entry.transactionIds.map(toHex));
    if (Block.decode(entry.block).transactions.length !== entry.transactionIds.length) throw new Error('not a block');
  }
  await ledger.close();
  return ids;
}

interface Running {
  readonly process: ChildProcess;
  /** When it has passed on its first block, or ended. */
  readonly hasForwarded: Promise<void>;
  readonly exit: Promise<number | null>;
}

function start(args: readonly string[]): Running {
  const running = spawn(process.execPath, [...process.execArgv, child, ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exit = new Promise<number | null>((resolve) => running.once('close', resolve));
  const hasForwarded = new Promise<void>((resolve) => {
    running.stdout.on('data', (chunk: Buffer) => {
      if (chunk.includes('"forwarding"')) resolve();
    });
    exit.then(() => resolve(), resolve);
  });
  return { process: running, hasForwarded, exit };
}

function shuffled(items: string[], random: (below: number) => number): string[] {
  return items
    .map((item) => ({ item, order: random(1e6) }))
    .sort((a, b) => a.order - b.order)
    .map(({ item }) => item);
}
