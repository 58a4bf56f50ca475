import { bytesIn, measuredCommand } from '../timed-run.js';
import type { ScaleFigures } from './scale-figures.js';

const GIGABYTE = 1e9;

/** Copies the folder by `tronicle backup` without a limit of the rate, and verifies the copy by `tronicle verify`. */
export async function measureCopies(dataDir: string, copy: string, figures: ScaleFigures): Promise<void> {
  const backup = await measuredCommand(['backup', copy, '-d', dataDir, '--rate', 'off']);
  const bytes = bytesIn(copy);
  const verify = await measuredCommand(['verify', '-d', copy]);
  const perSecond = (seconds: number): string => `${(bytes / 1e6 / seconds).toFixed(0)} MB/s`;
  console.log(
    `   backup of ${(bytes / GIGABYTE).toFixed(2)} GB: ${backup.seconds.toFixed(1)} s, ${perSecond(backup.seconds)}; ` +
      `verify: ${verify.seconds.toFixed(1)} s, ${perSecond(verify.seconds)}`,
  );
  figures.note('disk, whole folder', bytes / GIGABYTE, 'GB');
  figures.note('backup', bytes / 1e6 / backup.seconds, 'MB/s');
  figures.note('verify', bytes / 1e6 / verify.seconds, 'MB/s');
}
