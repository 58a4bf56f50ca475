import { existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Logger } from 'pino';
import { replaceFile } from '../files/replace-file.js';
import type { ChainListener } from './chain-listener.js';

/** Below the data folder, one file a block. */
const REJECTED_FOLDER = 'rejected-blocks';
/** A witness that signs nonsense makes a file each turn: the newest by height stay. */
const FILES_MAX = 100;

/** Writes blocks whose result differs into files, and says so in the log. */
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
        log.error({ number, id, witness, exception, text, file }, 'the result of a block differs from its witness’s');
      } catch (error) {
        log.error(
          { number, id, witness, exception, text, err: error },
          'the result of a block differs, no file says how',
        );
      }
    },
  };
}
