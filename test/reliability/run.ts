import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { answersAlike } from './answers-alike.js';
import { answersBetweenBlocks } from './answers-between-blocks.js';
import { answersOnChains } from './answers-on-chains.js';
import { answersOnTheWire } from './answers-on-the-wire.js';
import { bootstrapKills } from './bootstrap-kills.js';
import { brokerAway } from './broker-away.js';
import { curveEdges } from './curve-edges.js';
import { damage } from './damage.js';
import { damagedSources } from './damaged-sources.js';
import { endlessCalls } from './endless-calls.js';
import { filtersAcrossSwitches } from './filters-across-switches.js';
import { forwardKills } from './forward-kills.js';
import { handlers } from './handlers.js';
import { history } from './history.js';
import { hostilePrograms } from './hostile-programs.js';
import { hostileQueries } from './hostile-queries.js';
import { http2Floods } from './http2-floods.js';
import { interruptedWrites } from './interrupted-writes.js';
import { killWhileImporting } from './kill-while-importing.js';
import { largeRecords } from './large-records.js';
import { lateProducers } from './late-producers.js';
import { lineRateFloods } from './line-rate-floods.js';
import { lostTopics } from './lost-topics.js';
import { malformedDatagrams } from './malformed-datagrams.js';
import { malformedFrames } from './malformed-frames.js';
import { malformedRequests } from './malformed-requests.js';
import { runMutants } from './mutants/run-mutants.js';
import { peersAlike } from './peers-alike.js';
import { postgresKills } from './postgres-kills.js';
import { powerLoss } from './power-loss.js';
import { createRandom } from './random.js';
import { randomChains } from './random-chains.js';
import { randomEvents } from './random-events.js';
import { readyAfterKill } from './ready-after-kill.js';
import { reconnectingSubscribers } from './reconnecting-subscribers.js';
import { referenceGoesOn } from './reference-goes-on.js';
import { replayAgain } from './replay-again.js';
import { simulatedNetworks } from './simulated-networks.js';
import { slowRequests } from './slow-requests.js';
import { soak } from './soak.js';
import { solidityNodesAlike } from './solidity-nodes-alike.js';
import { stopWhileProducing } from './stop-while-producing.js';
import { subscribers } from './subscribers.js';
import { MEMORY_GROUP } from './support/memory-limit.js';
import { transactionFlood } from './transaction-flood.js';
import { twoProcesses } from './two-processes.js';
import { validLookingFloods } from './valid-looking-floods.js';

/** A measurement of `npm run reliability`. It throws if its target is not reached. */
export interface Measurement {
  readonly title: string;
  readonly gate: number;
  readonly night: number;
  run(options: MeasurementOptions): Promise<string>;
}

export interface MeasurementOptions {
  readonly count: number;
  readonly folder: string;
  /** Returns a random number from 0 (inclusive) to 1 (exclusive). The numbers depend on the seed of the run. */
  readonly random: () => number;
}

/** Measurements by name. */
const measurements: Readonly<Record<string, Measurement>> = {
  'kill-while-importing': killWhileImporting,
  'interrupted-writes': interruptedWrites,
  'power-loss': powerLoss,
  'ready-after-kill': readyAfterKill,
  'replay-again': replayAgain,
  damage: damage,
  'two-processes': twoProcesses,
  'forward-kills': forwardKills,
  'postgres-kills': postgresKills,
  'broker-away': brokerAway,
  'lost-topics': lostTopics,
  'late-producers': lateProducers,
  'large-records': largeRecords,
  subscribers: subscribers,
  'reconnecting-subscribers': reconnectingSubscribers,
  'simulated-networks': simulatedNetworks,
  'malformed-frames': malformedFrames,
  'malformed-datagrams': malformedDatagrams,
  'line-rate-floods': lineRateFloods,
  'valid-looking-floods': validLookingFloods,
  'malformed-http': malformedRequests('http'),
  'malformed-grpc': malformedRequests('grpc'),
  'malformed-jsonrpc': malformedRequests('jsonrpc'),
  'hostile-queries': hostileQueries,
  'slow-requests': slowRequests,
  'http2-floods': http2Floods,
  'endless-calls': endlessCalls,
  'transaction-flood': transactionFlood,
  'hostile-programs': hostilePrograms,
  soak,
  'stop-while-producing': stopWhileProducing,
  handlers,
  history,
  'bootstrap-kills': bootstrapKills,
  'curve-edges': curveEdges,
  'damaged-sources': damagedSources,
  'random-chains': randomChains,
  'random-events': randomEvents,
  'reference-goes-on': referenceGoesOn,
  'peers-alike': peersAlike,
  'answers-alike': answersAlike,
  'answers-between-blocks': answersBetweenBlocks,
  'answers-on-chains': answersOnChains,
  'answers-on-the-wire': answersOnTheWire,
  'filters-across-switches': filtersAcrossSwitches,
  'solidity-nodes-alike': solidityNodesAlike,
};

/** Runs `npm run reliability -- <name> [--night] [--seed n] [--count n] [--memory-group folder] [--mutants]`. */
const args = process.argv.slice(2);
const option = (name: string): string | undefined => (args.includes(name) ? args[args.indexOf(name) + 1] : undefined);
const chosen = args.filter(
  (arg, at) => measurements[arg] !== undefined && !['--seed', '--count', '--memory-group'].includes(args[at - 1]!),
);
if (chosen.length === 0) {
  console.error('npm run reliability -- <name> [--night] [--seed n] [--count n] [--memory-group folder] [--mutants]');
  for (const [name, { title, gate, night }] of Object.entries(measurements)) {
    console.error(`  ${name.padEnd(26)} ${title} (${gate}, at night ${night})`);
  }
  process.exit(1);
}
const memoryGroup = option('--memory-group');
if (memoryGroup !== undefined) process.env[MEMORY_GROUP] = memoryGroup;
let failed = 0;
if (args.includes('--mutants')) {
  const options = args.filter((arg) => !chosen.includes(arg) && arg !== '--mutants');
  for (const name of chosen) failed += (await runMutants(name, options)) > 0 ? 1 : 0;
  console.log(`${chosen.length - failed} passed, ${failed} failed`);
  process.exit(failed === 0 ? 0 : 1);
}
for (const name of chosen) {
  const measurement = measurements[name]!;
  const seed = Number(option('--seed') ?? Date.now() % 1_000_000_000);
  const count = Number(option('--count') ?? (args.includes('--night') ? measurement.night : measurement.gate));
  const folder = mkdtempSync(join(tmpdir(), 'tronicle-reliability-'));
  const started = Date.now();
  try {
    const result = await measurement.run({ count, folder, random: createRandom(seed) });
    console.log(`${name} ${measurement.title}: ${result} (count ${count}, seed ${seed}, ${seconds(started)} s)`);
  } catch (error) {
    failed++;
    console.log(
      `${name} ${measurement.title}: MISSED ${(error as Error).message} (count ${count}, seed ${seed}, ${seconds(started)} s)`,
    );
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
console.log(`${chosen.length - failed} passed, ${failed} failed`);
process.exit(failed === 0 ? 0 : 1);

function seconds(since: number): string {
  return ((Date.now() - since) / 1000).toFixed(1);
}
