import { loadConfig } from '../../config/load-config.js';
import { heightArgument, readArguments } from '../command-line/read-arguments.js';
import { reconcileBalances } from '../compare/reconcile.js';
import { createLog } from '../logging.js';
import type { Command } from './command.js';

/** Sums the records of the topic `transfer` and compares them with the balances of the state. */
export const reconcile: Command = {
  run,
};

async function run(args: readonly string[]): Promise<number> {
  const { options, flags } = readArguments(args, 'reconcile');
  const [from, to] = ['--from', '--to'].map((name) => heightArgument(options.get(name), name));
  const log = createLog({ destination: 2 });
  const { config, warnings } = loadConfig({ flags });
  for (const warning of warnings) log.warn(warning);
  return reconcileBalances({ from, to, account: options.get('--account'), config, log });
}
