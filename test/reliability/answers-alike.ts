import { askBoth } from './answers/ask-both.js';
import type { Measurement, MeasurementOptions } from './run.js';

/** Share of all requests. Both nodes have the same state after them, so they run last. */
const BROADCASTS = 0.15;

/**
 * Mutated questions of a recording over HTTP, JSON-RPC and gRPC, then mutated broadcasts, to java-tron itself and to a
 * node of ours on the same chain: status, type and text must be the same, but for what `answers/comparable.ts` names.
 * Each question follows from its number.
 */
export const answersAlike: Measurement = {
  title: 'matches java-tron on mutated requests',
  gate: 20_000,
  night: 500_000,
  run: (options) => askAlike(options),
};

/** @param recording in place of the one that the environment names */
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
