import { setTimeout as sleep } from 'node:timers/promises';
import t from 'tap';
import { seeded, temporaryFolder } from '../../support/projections/chain.js';
import { Broker, KILLED } from '../../support/streams/broker.js';
import { brokenLinks, type Consumed, consumeAll } from '../../support/streams/consume.js';
import { chainIds, killDelay, shuffledKills, startForwarding } from '../../support/streams/forwarding.js';

/** Number of kills of the node and of the broker. The default is `12+3`; a long run sets `300+60`. */
const [NODE_KILLS = 12, BROKER_KILLS = 3] = (process.env['TRONICLE_FORWARD_KILLS'] ?? '12+3').split('+').map(Number);
const SEED = Number(process.env['TRONICLE_SEED'] ?? 7);

t.test(
  `loses, duplicates and reorders nothing over ${NODE_KILLS} kills of the node and ${BROKER_KILLS} of the broker`,
  async (t) => {
    t.comment(`TRONICLE_SEED=${SEED}`);
    const random = seeded(SEED);
    const dataDir = temporaryFolder(t);
    const broker = await Broker.start(KILLED);
    t.teardown(() => broker.close());
    const height = 150 + 25 * NODE_KILLS;
    const kills = shuffledKills({ node: NODE_KILLS, broker: BROKER_KILLS }, random);
    const kafka = { name: 'kafka', type: 'kafka', bootstrap: [broker.bootstrap], partitions: 2 };
    const sinks = [{ ...kafka, topics: ['block', 'transaction'] }];
    let hits = 0;
    let writeMs: number | undefined;
    for (const [round, kill] of kills.entries()) {
      const running = startForwarding({ dataDir, sinks, height, seed: SEED + round, writeMs });
      writeMs = await running.hasSolidified;
      await sleep(killDelay(writeMs, random));
      if (running.isUnderWay()) hits++;
      if (kill === 'broker') {
        broker.crash();
        await sleep(random(500));
        broker.start();
        await sleep(random(1500));
      }
      running.process.kill('SIGKILL');
      await running.exit;
    }
    t.ok(2 * hits >= kills.length, `${hits} of ${kills.length} kills interrupted a write`);
    const last = startForwarding({ dataDir, sinks, height, seed: SEED + kills.length, isPaced: false });
    t.equal(await last.exit, 0, 'the last process forwards the remaining blocks');

    const records = await consumeAll(broker.client(), ['tronicle.transaction', 'tronicle.block']);
    t.strictSame(brokenLinks(records), []);
    const expected = await chainIds(dataDir);
    t.strictSame(idsOf(records, 'tronicle.block', 'blockHash'), expected.blocks);
    t.strictSame(idsOf(records, 'tronicle.transaction', 'transactionId'), expected.transactions);
    t.comment(`${records.length} records`);
  },
);

/**
 * Returns the ids of the records, sorted by block and index. The test checks the order within each partition
 * separately, by the headers.
 */
function idsOf(records: readonly Consumed[], topic: string, member: string): string[] {
  const positionOf = ({ headers }: Consumed): number => Number(headers['blockNum']) * 1e6 + Number(headers['index']);
  return records
    .filter((record) => record.topic === topic)
    .sort((a, b) => positionOf(a) - positionOf(b))
    .map(({ value }) => (JSON.parse(value) as Record<string, string>)[member]!);
}
