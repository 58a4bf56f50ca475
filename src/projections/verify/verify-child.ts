import { statSync } from 'node:fs';
import { join } from 'node:path';
import { DamageError } from '../../primitives/errors.js';
import { PROJECTIONS_FOLDER } from '../runner/projection-database.js';
import { CheckPace } from './check-pace.js';
import { type VerifyReport, verifyLedger } from './verify-ledger.js';

/**
 * Message on the standard output of the child process, one JSON object per line. The last message is the result. The
 * messages before it are progress reports.
 */
export type VerifyAnswer =
  | { readonly report: VerifyReport }
  | { readonly damage: string }
  | { readonly progress: { readonly bytes: number; readonly bytesTotal: number } };

const [, , dataDir = '', part, use, rate] = process.argv;
say(answer(dataDir));

function answer(folder: string): VerifyAnswer {
  try {
    const isWritten = use === 'written';
    const bytesTotal = ['log', 'state', PROJECTIONS_FOLDER]
      .map((name) => statSync(join(folder, name, 'data.mdb'), { throwIfNoEntry: false })?.size ?? 0)
      .reduce((sum, size) => sum + size, 0);
    const pace = new CheckPace(rate === undefined ? undefined : Number(rate), (bytes) =>
      say({ progress: { bytes, bytesTotal } }),
    );
    return { report: verifyLedger(folder, { logOnly: part === 'log', isWritten, onRead: pace.spend }) };
  } catch (error) {
    if (error instanceof DamageError) return { damage: error.message };
    throw error;
  }
}

function say(line: VerifyAnswer): void {
  process.stdout.write(`${JSON.stringify(line)}\n`);
}
