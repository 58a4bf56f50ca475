import { existsSync, statSync } from 'node:fs';
import { loadConfig } from '../../config/load-config.js';
import { itemAt } from '../../primitives/assert.js';
import { UsageError } from '../../primitives/errors.js';
import { openBlockFile } from '../blocks/block-file.js';
import { importBlocks } from '../blocks/import-blocks.js';
import { chainRules, genesisOf } from '../chain-config.js';
import { CommandOutput, nextCommand } from '../command-line/command-output.js';
import { whole } from '../command-line/progress.js';
import { heightArgument, readArguments } from '../command-line/read-arguments.js';
import { openChain } from '../open-chain.js';
import { IMPORT_CLOSE_LIMITS, retainForSinks, serveSinks } from '../sinks/serve-sinks.js';
import { stopTarget } from '../stop-target.js';
import { SignaturePool } from '../threads/signatures/signature-pool.js';
import type { Command } from './command.js';

/** Imports blocks from a file. */
export const importCommand: Command = {
  run,
};

async function run(args: readonly string[]): Promise<number> {
  const parsed = readArguments(args, 'import');
  const { options, flags, words } = parsed;
  const output = new CommandOutput(parsed);
  const file = itemAt(words, 0);
  const until = heightArgument(options.get('--until'), '--until');
  if (!existsSync(file)) throw new UsageError(`file ${file} does not exist`);
  if (statSync(file).isDirectory()) throw new UsageError(`cannot read ${file}: it is a folder`);
  const { log, progress } = output;
  const { config, warnings } = loadConfig({ flags: { ...flags, seedNodes: [] } });
  for (const warning of warnings) log.warn(warning);
  // Reads the start of the file before the data folder is created, so that a wrong file leaves no folder behind.
  const blocks = await openBlockFile(file, genesisOf(config, chainRules(config)).id);
  const chain = await openChain({ config, dataDir: config.outputDirectory, log });
  const signatures = new SignaturePool({
    threads: config.tronicle.threads.signatures,
    addressPrefix: config.addressPrefix,
  });
  const dataDir = config.outputDirectory;
  // Sinks are opened only with `--sinks`, because a node with a different data folder may write to the same targets.
  const sinks = options.has('--sinks')
    ? serveSinks({ config, dataDir, chain, log, closeLimits: IMPORT_CLOSE_LIMITS, isCatchUp: true })
    : undefined;
  if (sinks === undefined) retainForSinks({ config, dataDir, chain, log });
  const { headNumber } = chain.ledger.position;
  progress.begin('import', { unit: 'blocks', total: until === undefined ? undefined : until - headNumber });
  try {
    const target = stopTarget(config, chain);
    const done = await importBlocks({
      chain,
      blocks,
      signatures,
      ...(until === undefined ? {} : { until }),
      mustStop: target.isReachedBefore,
      onProgress: ({ blocks }) => progress.set(blocks),
    });
    output.print({ ...done, seconds: output.seconds });
    output.summarize({
      text: `imported ${whole(done.blocks)} blocks with ${whole(done.transactions)} transactions; the head is block ${done.head}`,
      next: nextCommand('run', parsed, true),
    });
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    const { headNumber } = chain.ledger.position;
    const rest = `the blocks up to ${headNumber} are in ${dataDir}; to continue, correct the file and run the command again`;
    throw new UsageError(`${error.message}; ${rest}`, { cause: error });
  } finally {
    await signatures.close();
    await sinks?.close();
    await chain.ledger.close();
  }
  return 0;
}
