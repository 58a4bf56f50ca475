import assert from 'node:assert/strict';
import { join } from 'node:path';
import { apiRelease } from '../../../src/api/releases/releases.js';
import { flagsOf } from '../../conformance/recording.js';
import { Random } from '../../fuzz/random.js';
import { golden } from '../../support/tronicle.js';
import { compiledReference } from '../reference/compiled.js';
import type { MeasurementOptions } from '../run.js';
import { BroadcastMaker } from './make-broadcast.js';
import { QuestionMaker } from './make-question.js';
import type { Question } from './question.js';
import { readSeeds } from './seeds.js';
import { shownDifference } from './shown-difference.js';
import { TwoNodes } from './two-nodes.js';

/** Environment variable with the folder of a recording that has API transcripts. */
const RECORDING = 'TRONICLE_RECORDING';
const SHOWN = 20;

/**
 * Returns the folder of the recording. The environment variable selects it.
 * @param name recording of this repository that is used if the variable is not set
 */
export function namedRecording(name = 'off'): string {
  return process.env[RECORDING] ?? join(golden, name);
}

/** The two nodes on a recorded chain, and the functions that create requests from the recording. */
interface RequestContext {
  readonly nodes: TwoNodes;
  readonly recording: string;
  readonly questions: QuestionMaker;
  readonly broadcasts: BroadcastMaker;
}

/** Creates the request with number `at`. The request depends only on `at` and the seed. */
type MakeQuestion = (numbers: Random, at: number) => Question | Promise<Question>;

interface RequestOptions {
  /** Number of blocks at the end of the recorded chain that are not imported before the first request. */
  readonly comingMax?: number;
  /** Folder of a recording. It replaces the recording of the environment variable. */
  readonly recording?: string;
}

/**
 * Sends the same requests to java-tron and to this node.
 * @returns the number of requests, and the number of the first request
 * @throws {AssertionError} two responses differ
 */
export async function requestBoth(
  { count, folder, random }: MeasurementOptions,
  { comingMax = 0, recording = namedRecording() }: RequestOptions,
  prepare: (context: RequestContext) => MakeQuestion | Promise<MakeQuestion>,
): Promise<string> {
  const reference = compiledReference();
  const release = apiRelease(flagsOf(recording).includes('4.8.2') ? '4.8.2' : '4.7.2');
  const seeds = await readSeeds(recording);
  const [questions, broadcasts] = [new QuestionMaker(seeds, release), new BroadcastMaker(seeds, release)];
  const nodes = await TwoNodes.start(recording, reference, folder, { comingMax });
  const differences: string[] = [];
  const first = Math.floor(random() * 2 ** 30);
  try {
    const make = await prepare({ nodes, recording, questions, broadcasts });
    for (let at = 0; at < count; at++) {
      const difference = await nodes.request(await make(new Random(first + at, seeds.bytes), at));
      if (difference !== undefined) differences.push(shownDifference(difference));
    }
  } finally {
    await nodes.close();
  }
  const text = `${count} questions from ${first} on, ${nodes.filters.length} filters, ${differences.length} answers differ`;
  assert.equal(differences.length, 0, [text, ...differences.slice(0, SHOWN)].join('\n'));
  return text;
}
