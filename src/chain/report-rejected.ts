import { existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Logger } from 'pino';
import { replaceFile } from '../files/replace-file.js';
import type { ChainListener } from './chain-listener.js';

/** Name of the folder for reports in the data folder. There is one file per block. */
const REJECTED_FOLDER = 'rejected-blocks';
/**
 * Maximum number of reports. Above it, the reports with the lowest heights are deleted, so that a faulty witness cannot
 * fill the disk.
 */
const FILES_MAX = 100;

/** Writes a file and a log line for each rejected block with a valid witness signature. */
export function reportRejected(dataDir: string, log: Logger): ChainListener {
  const folder = join(dataDir, REJECTED_FOLDER);
  return {
    differs: (report) => {
      const { number, id, witness, exception, text } = report;
      const file = join(folder, `${String(number).padStart(12, '0')}-${id.slice(16, 32)}.json`);
      try {
        replaceFile(file, `${JSON.stringify(report, undefined, 1)}\n`);
        for (const old of existsSync(folder) ? readdirSync(folder).sort().slice(0, -FILES_MAX) : [])
          rmSync(join(folder, old), { force: true });
        log.error(
          { number, id, witness, exception, text, file },
          'rejected a block that a witness signed, report written',
        );
      } catch (error) {
        log.error(
          { number, id, witness, exception, text, err: error },
          'rejected a block that a witness signed, report not written',
        );
      }
    },
  };
}
