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
import { killWhileImporting } from './kill-while-importing.js';
import { largeRecords } from './large-records.js';
import { lateProducers } from './late-producers.js';
import { lineRateFloods } from './line-rate-floods.js';
import { lostTopics } from './lost-topics.js';
import { malformedDatagrams } from './malformed-datagrams.js';
import { malformedFrames } from './malformed-frames.js';
import { malformedRequests } from './malformed-requests.js';
import { peersAlike } from './peers-alike.js';
import { createRandom } from './random.js';
import { randomChains } from './random-chains.js';
import { randomEvents } from './random-events.js';
import { reconnectingSubscribers } from './reconnecting-subscribers.js';
import { referenceGoesOn } from './reference-goes-on.js';
import { replayAgain } from './replay-again.js';
import { simulatedNetworks } from './simulated-networks.js';
import { slowRequests } from './slow-requests.js';
import { solidityNodesAlike } from './solidity-nodes-alike.js';
import { stopWhileProducing } from './stop-while-producing.js';
import { subscribers } from './subscribers.js';
import { twoProcesses } from './two-processes.js';
import { validLookingFloods } from './valid-looking-floods.js';

/** Environment of a measurement. The measurement throws when its target is missed. */
export interface Measurement {
  readonly title: string;
  readonly gate: number;
  readonly night: number;
  run(options: MeasurementOptions): Promise<string>;
}

export interface MeasurementOptions {
  readonly count: number;
  readonly folder: string;
  /** 0 up to, without, 1. */
  readonly random: () => number;
}

/** Measurements by the numbers of the project's reliability page. `history` visits all heights of a recorded chain. */
const measurements: Readonly<Record<string, Measurement>> = {
  '1': killWhileImporting,
  '4': replayAgain,
  '6': damage,
  '9': twoProcesses,
  '10': forwardKills,
  '11': brokerAway,
  '12': lostTopics,
  '13': lateProducers,
  '14': largeRecords,
  '16': subscribers,
  '17': reconnectingSubscribers,
  '18': simulatedNetworks,
  '21': malformedFrames,
  '22': malformedDatagrams,
  '23': lineRateFloods,
  '24': validLookingFloods,
  '25': malformedRequests('http'),
  '26': malformedRequests('grpc'),
  '27': malformedRequests('jsonrpc'),
  '28': hostileQueries,
  '29': slowRequests,
  '32': endlessCalls,
  '33': hostilePrograms,
  '39': stopWhileProducing,
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

/** `npm run reliability -- <number> [--night] [--seed n] [--count n]` */
const args = process.argv.slice(2);
const option = (name: string): string | undefined => (args.includes(name) ? args[args.indexOf(name) + 1] : undefined);
const chosen = args.filter(
  (arg, at) => measurements[arg] !== undefined && !['--seed', '--count'].includes(args[at - 1]!),
);
if (chosen.length === 0) {
  console.error('npm run reliability -- <number> [--night] [--seed n] [--count n]');
  for (const [number, { title, gate, night }] of Object.entries(measurements)) {
    console.error(`  ${number.padEnd(8)} ${title} (${gate}, at night ${night})`);
  }
  process.exit(1);
}
let failed = 0;
for (const number of chosen) {
  const measurement = measurements[number]!;
  const seed = Number(option('--seed') ?? Date.now() % 1_000_000_000);
  const count = Number(option('--count') ?? (args.includes('--night') ? measurement.night : measurement.gate));
  const folder = mkdtempSync(join(tmpdir(), 'tronicle-reliability-'));
  const started = Date.now();
  try {
    const result = await measurement.run({ count, folder, random: createRandom(seed) });
    console.log(`${number} ${measurement.title}: ${result} (count ${count}, seed ${seed}, ${seconds(started)} s)`);
  } catch (error) {
    failed++;
    console.log(
      `${number} ${measurement.title}: MISSED ${(error as Error).message} (count ${count}, seed ${seed}, ${seconds(started)} s)`,
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
