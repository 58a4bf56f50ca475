import { join } from 'node:path';
import { bytesIn, measuredCommand } from '../timed-run.js';
import type { ScaleFigures } from './scale-figures.js';
import { scaleChain } from './scale-source.js';

/**
 * Converts a data folder of java-tron. Reports rows per second of the whole command, peak anonymous memory (RssAnon),
 * and bytes on disk, each next to the size of the same rows in LevelDB.
 */
export async function measureBootstrap(
  stores: string,
  dataDir: string,
  accounts: number,
  figures: ScaleFigures,
): Promise<void> {
  const config = join(scaleChain, 'config.conf');
  const { seconds, processorMs, anonymousMiB, stdout } = await measuredCommand([
    'bootstrap',
    stores,
    '-c',
    config,
    '-d',
    dataDir,
  ]);
  const { stores: found } = JSON.parse(stdout) as { readonly stores: Record<string, { readonly rows: number }> };
  const rows = Object.values(found).reduce((sum, store) => sum + store.rows, 0);
  const [theirs, packed, state] = [stores, join(dataDir, 'base'), join(dataDir, 'state')].map(bytesIn) as [
    number,
    number,
    number,
  ];
  const of = (bytes: number): string => `${(bytes / rows).toFixed(0)} bytes`;
  console.log(
    `scale ${accounts} accounts: ${rows} rows in ${seconds.toFixed(1)} s, ${Math.round(rows / seconds)} rows/s, ` +
      `${(processorMs / 1000).toFixed(1)} s of processor, RssAnon at most ${anonymousMiB} MiB; a row has ` +
      `${of(theirs)} in LevelDB, ${of(state)} in the state (${(state / theirs).toFixed(2)} ×), ${of(packed)} packed; ` +
      `an account has ${(state / accounts).toFixed(0)} bytes in the state`,
  );
  figures.note('bootstrap', rows / seconds, 'rows/s');
  figures.note('bootstrap, processors', (processorMs * 1000) / rows, 'µs/row');
  figures.note('bootstrap, peak memory', anonymousMiB, 'MiB');
  figures.note('disk, state', state / rows, 'bytes/row', state / theirs);
  figures.note('disk, state and packed rows', (state + packed) / accounts, 'bytes/account', (state + packed) / theirs);
}
