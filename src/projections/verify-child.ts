import { DamageError } from '../log/domain/errors.js';
import { type VerifyReport, verifyLedger } from './verify-ledger.js';

/** What the child process answers on standard output, one JSON object. */
export type VerifyAnswer = { readonly report: VerifyReport } | { readonly damage: string };

const [, , dataDir, part] = process.argv;
process.stdout.write(JSON.stringify(answer(dataDir ?? '')));

function answer(folder: string): VerifyAnswer {
  try {
    return { report: verifyLedger(folder, { logOnly: part === 'log' }) };
  } catch (error) {
    if (error instanceof DamageError) return { damage: error.message };
    throw error;
  }
}
