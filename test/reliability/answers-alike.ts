import { readChainQuestions } from './answers/chain-recording.js';
import { requestBoth } from './answers/request-both.js';
import type { Measurement, MeasurementOptions } from './run.js';

/**
 * Share of broadcasts among all requests. Broadcasts are sent after all other requests, because they change the state
 * of both nodes.
 */
const BROADCASTS = 0.15;

/**
 * Compares this node with java-tron on the same recorded chain. Sends changed copies of recorded requests over HTTP,
 * JSON-RPC and gRPC, then changed broadcasts. Status, type and text of the answers must be equal, except for the
 * values listed in `answers/comparable.ts`. Each request depends only on its number and the seed.
 */
export const answersAlike: Measurement = {
  title: 'matches java-tron on mutated requests',
  gate: 20_000,
  night: 500_000,
  run: (options) => compareAnswers(options),
};

/**
 * Sends the well-formed requests of the recording first, then changed requests, then broadcasts.
 * @param recording folder of a recording, which replaces that of the environment variable
 */
export function compareAnswers(options: MeasurementOptions, recording?: string): Promise<string> {
  return requestBoth(
    options,
    recording === undefined ? {} : { recording },
    async ({ recording: used, questions, broadcasts }) => {
      const wellFormed = await readChainQuestions(used);
      return (numbers, at) => {
        const isBroadcast = at >= options.count * (1 - BROADCASTS);
        return isBroadcast ? broadcasts.make(numbers) : (wellFormed[at] ?? questions.make(numbers));
      };
    },
  );
}
