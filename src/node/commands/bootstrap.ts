import { loadConfig } from '../../config/load-config.js';
import { toHex } from '../../primitives/bytes.js';
import { UsageError } from '../../primitives/errors.js';
import { storeName } from '../../projections/state/stores.js';
import { type BootstrapReport, bootstrap } from '../bootstrap/bootstrap.js';
import type { HistoryRequest } from '../bootstrap/import-blocks.js';
import { chainRules, genesisOf } from '../chain-config.js';
import { createLog } from '../logging.js';
import { readArguments } from './arguments.js';
import type { Command } from './command.js';
import { CommandUsageError, HISTORY_BLOCKS } from './command-help.js';

/** Converts a data folder of java-tron. */
export const bootstrapCommand: Command = {
  run,
};

async function run(args: readonly string[]): Promise<number> {
  // A single dash means standard input. java-tron's flag parser does not know it.
  const isInput = args.includes('-');
  const given = args.filter((arg) => arg !== '-');
  const { options, flags, words } = readArguments(given, { '--history': 'value' });
  const sources = isInput ? ['-', ...words] : words;
  const [source] = sources;
  if (source === undefined || sources.length > 1) throw CommandUsageError.of('bootstrap');
  const history = historyOf(options.get('--history'));
  const log = createLog({ destination: 2 });
  const { config, warnings } = loadConfig({ flags: { ...flags, seedNodes: [] } });
  for (const warning of warnings) log.warn(warning);
  const report = await bootstrap({
    source,
    dataDir: config.outputDirectory,
    genesisId: genesisOf(config, chainRules(config)).id,
    history,
    print: (line) => process.stderr.write(`${line}\n`),
  });
  process.stdout.write(`${JSON.stringify(summary(report))}\n`);
  return 0;
}

function historyOf(text = String(HISTORY_BLOCKS)): HistoryRequest {
  if (text === 'all' || text === 'none') return text;
  if (!/^\d{1,15}$/.test(text)) throw new UsageError(`invalid --history: ${text}; use a number of blocks, all or none`);
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
