import { DamageError } from '../primitives/errors.js';

/** The one text for a damaged log. `where` names entry and finding. */
export function logDamage(file: string, where: string): DamageError {
  return new DamageError(
    `${file} is damaged: ${where}; rebuild it with 'tronicle export --until <last intact block>' and 'tronicle import' into a new folder`,
  );
}

/** @param what of the entry is not what was written */
export function entryDamage(file: string, seq: number, what = 'entry'): DamageError {
  return logDamage(file, `${what} ${seq} is not what was written`);
}
