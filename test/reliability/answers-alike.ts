import { askBoth } from './answers/ask-both.js';
import type { Measurement, MeasurementOptions } from './run.js';

/** Share of broadcasts among all requests. They run last. After each, both nodes have the same state. */
const BROADCASTS = 0.15;

/**
 * Sends changed requests of a recording over HTTP, JSON-RPC and gRPC, then changed broadcasts, to java-tron and to this
 * node on the same chain. Status, type and text must be equal, except for the values listed in `answers/comparable.ts`.
 * Each request depends only on its number.
 */
export const answersAlike: Measurement = {
  title: 'matches java-tron on mutated requests',
  gate: 20_000,
  night: 500_000,
  run: (options) => askAlike(options),
};

/** @param recording recording to use instead of the one that the environment names */
export function askAlike(options: MeasurementOptions, recording?: string): Promise<string> {
  return askBoth(
    options,
    recording === undefined ? {} : { recording },
    ({ questions, broadcasts }) =>
      (numbers, at) => {
        const isBroadcast = at >= options.count * (1 - BROADCASTS);
        return isBroadcast ? broadcasts.make(numbers) : questions.make(numbers);
      },
  );
}
