import { existsSync } from 'node:fs';
import { loadConfig } from '../../config/load-config.js';
import { itemAt, present } from '../../primitives/assert.js';
import { UsageError } from '../../primitives/errors.js';
import { readBlockFile } from '../blocks/block-file.js';
import { importBlocks } from '../blocks/import-blocks.js';
import { heightArgument, readArguments } from '../command-line/read-arguments.js';
import { createLog } from '../logging.js';
import { openChain } from '../open-chain.js';
import { IMPORT_CLOSE_LIMITS, retainForSinks, serveSinks } from '../sinks/serve-sinks.js';
import { stopTarget } from '../stop-target.js';
import { SignaturePool } from '../threads/signatures/signature-pool.js';
import type { Command } from './command.js';

/** Imports blocks from a file. */
export const importCommand: Command = {
  run,
};

/** Time between two progress lines, in ms. */
const PROGRESS_MS = 5000;

async function run(args: readonly string[]): Promise<number> {
  const { options, flags, words } = readArguments(args, 'import');
  const file = itemAt(words, 0);
  const until = heightArgument(options.get('--until'), '--until');
  if (!existsSync(file)) throw new UsageError(`file not found: ${file}`);
  const log = createLog({ destination: 2 });
  const { config, warnings } = loadConfig({ flags: { ...flags, seedNodes: [] } });
  for (const warning of warnings) log.warn(warning);
  const chain = await openChain({ config, dataDir: config.outputDirectory, log });
  const signatures = new SignaturePool({
    threads: config.tronicle.threads.signatures,
    addressPrefix: config.addressPrefix,
  });
  const dataDir = config.outputDirectory;
  // Sinks are opened only with the flag, because the same sinks may belong to a node that runs in another folder.
  const sinks = options.has('--sinks')
    ? serveSinks({ config, dataDir, chain, log, closeLimits: IMPORT_CLOSE_LIMITS, isRush: true })
    : undefined;
  if (sinks === undefined) retainForSinks({ config, dataDir, chain, log });
  const started = Date.now();
  let reported = started;
  try {
    const target = stopTarget(config, chain);
    const done = await importBlocks({
      chain,
      blocks: readBlockFile(file, present(chain.ledger.blockIdAt(0), 'every chain has a genesis')),
      signatures,
      ...(until === undefined ? {} : { until }),
      mustStop: target.isReachedBefore,
      onProgress: (progress) => {
        if (Date.now() - reported < PROGRESS_MS) return;
        reported = Date.now();
        log.info({ ...progress, perSecond: rate(progress.transactions, started) }, 'import progress');
      },
    });
    log.info(
      { ...done, seconds: (Date.now() - started) / 1000, perSecond: rate(done.transactions, started) },
      'import finished',
    );
  } finally {
    await signatures.close();
    await sinks?.close();
    await chain.ledger.close();
  }
  return 0;
}

function rate(count: number, since: number): number {
  return Math.round((count * 1000) / Math.max(1, Date.now() - since));
}
