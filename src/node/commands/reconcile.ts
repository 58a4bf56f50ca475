import { loadConfig } from '../../config/load-config.js';
import { CommandOutput, nextCommand } from '../command-line/command-output.js';
import { whole } from '../command-line/progress.js';
import { heightArgument, readArguments } from '../command-line/read-arguments.js';
import { reconcileBalances } from '../compare/reconcile.js';
import type { Command } from './command.js';

/**
 * Sums the records of the topic `transfer` per account, and compares the sums with the changes of the balances in the
 * state.
 */
export const reconcile: Command = {
  run,
};

async function run(args: readonly string[]): Promise<number> {
  const parsed = readArguments(args, 'reconcile');
  const { options, flags } = parsed;
  const output = new CommandOutput(parsed);
  const [from, to] = ['--from', '--to'].map((name) => heightArgument(options.get(name), name));
  const { log, progress } = output;
  const { config, warnings } = loadConfig({ flags });
  for (const warning of warnings) log.warn(warning);
  const account = options.get('--account');
  const { differences, summary } = await reconcileBalances({ from, to, account, config, log, progress });
  if (output.isJson) output.print({ ...summary, differences });
  else for (const line of [...differences, summary]) output.print(line);
  output.summarize({
    text: `blocks ${summary.from} to ${summary.to}: ${whole(summary.mismatches)} balances differ`,
    next: summary.mismatches === 0 ? undefined : nextCommand('replay', parsed, true),
  });
  return summary.mismatches === 0 ? 0 : 1;
}
