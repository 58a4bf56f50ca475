import { loadConfig } from '../../config/load-config.js';
import { itemAt } from '../../primitives/assert.js';
import { toHex } from '../../primitives/bytes.js';
import { ArgumentError } from '../../primitives/errors.js';
import { storeName } from '../../projections/state/stores.js';
import { type BootstrapReport, bootstrap } from '../bootstrap/bootstrap.js';
import type { HistoryRequest } from '../bootstrap/import-blocks.js';
import { chainRules, genesisOf } from '../chain-config.js';
import { CommandOutput, nextCommand } from '../command-line/command-output.js';
import { readArguments } from '../command-line/read-arguments.js';
import { HISTORY_BLOCKS } from '../command-line/rows/data-rows.js';
import type { Command } from './command.js';

/** Converts a data folder of java-tron. */
export const bootstrapCommand: Command = {
  run,
};

async function run(args: readonly string[]): Promise<number> {
  const parsed = readArguments(args, 'bootstrap');
  const { options, flags, words } = parsed;
  const output = new CommandOutput(parsed);
  const source = itemAt(words, 0);
  const history = historyOf(options.get('--history'));
  const { config, warnings } = loadConfig({ flags: { ...flags, seedNodes: [] } });
  for (const warning of warnings) output.log.warn(warning);
  const report = await bootstrap({
    source,
    dataDir: config.outputDirectory,
    genesisId: genesisOf(config, chainRules(config)).id,
    history,
    progress: output.progress,
  });
  output.print(summary(report));
  output.summarize({
    text: `converted ${source} up to block ${report.head.number}`,
    next: nextCommand('run', parsed, true),
  });
  return 0;
}

function historyOf(text = String(HISTORY_BLOCKS)): HistoryRequest {
  if (text === 'all' || text === 'none') return text;
  if (!/^\d{1,15}$/.test(text))
    throw new ArgumentError(`invalid --history: ${text}; use a number of blocks, all or none`);
  return Number(text);
}

function summary({ head, solidified, digest, sums }: BootstrapReport): object {
  const stores = sums.map(({ store, rows, sha256 }) => [storeName(store), { rows, sha256: toHex(sha256) }]);
  return {
    head: head.number,
    headId: toHex(head.id),
    solidified: solidified.number,
    solidifiedId: toHex(solidified.id),
    digest: toHex(digest),
    stores: Object.fromEntries(stores),
  };
}
