import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import type { Figures } from '../figures.js';
import { makeSigners, type Signer } from '../first-sync/day-accounts.js';
import { writeDay } from '../first-sync/day-blocks.js';
import { dayRows } from '../first-sync/day-rows.js';
import { startOf } from '../first-sync/prepared-day.js';
import { measureBlocks } from './scale-blocks.js';
import { measureBootstrap } from './scale-bootstrap.js';
import { measureCopies } from './scale-copies.js';
import { ScaleFigures } from './scale-figures.js';
import { DAY_PARTS, measureImport, measureKill } from './scale-import.js';
import { measurePruning } from './scale-pruning.js';
import { measureServing } from './scale-serving.js';
import { makeScaleSource } from './scale-source.js';

/**
 * Runs `npm run bench -- scale [accounts…] [--folder <folder>]`. For each number of accounts, generates a data folder
 * of java-tron, converts it by `tronicle bootstrap`, and measures a node on this state. The figures of later sizes are
 * compared with those of the first size.
 */
export async function scaleBench(args: readonly string[], figures: Figures): Promise<void> {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: { folder: { type: 'string', default: tmpdir() } },
  });
  const sizes = positionals.length === 0 ? [1_000_000] : positionals.map(Number);
  if (!sizes.every((size) => Number.isSafeInteger(size) && size >= 1_000))
    throw new Error('each size must be a number of accounts, at least 1000');
  const signers = makeSigners();
  let first: ScaleFigures | undefined;
  for (const accounts of sizes) {
    const found = new ScaleFigures(accounts, figures, first);
    const folder = mkdtempSync(join(resolve(values.folder), 'tronicle-scale-'));
    try {
      await measureSize(folder, accounts, signers, found);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
    found.printRatios();
    first ??= found;
  }
}

async function measureSize(
  folder: string,
  accounts: number,
  signers: readonly Signer[],
  figures: ScaleFigures,
): Promise<void> {
  const [source, dataDir, file] = [join(folder, 'source'), join(folder, 'data'), join(folder, 'day.tron')];
  const stores = await makeScaleSource(source, accounts, (headMs) => dayRows(signers, accounts, headMs));
  await measureBootstrap(stores, dataDir, accounts, figures);
  rmSync(source, { recursive: true });
  writeDay({ file, blocks: DAY_PARTS.pruned, accounts, signers, start: await startOf(dataDir) });
  await measureServing(dataDir, accounts, figures);
  await measureImport(dataDir, file, figures);
  await measureKill(dataDir, file, figures);
  await measurePruning(dataDir, file, figures);
  await measureBlocks(dataDir, accounts, figures);
  await measureCopies(dataDir, join(folder, 'backup'), figures);
}
