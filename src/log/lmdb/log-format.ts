import { UsageError } from '../../primitives/errors.js';
import { LmdbFile, LmdbFileError } from './lmdb-file.js';
import { openMetaRow } from './meta-row.js';

/** Name of the fact with the format of a log, as a u32. A log without this fact has format 1. */
export const FORMAT_KEY = 'format';
/**
 * The format of the log that this release reads and writes. A release with an incompatible format increases this number
 * and stores it in the log, so that older releases refuse the log.
 */
const FORMAT = 1;

/**
 * Checks that this release can read a log. Reads the file without LMDB, because the file may be damaged. Accepts a
 * missing or damaged file, because other checks report it.
 * @param file path of the log's database file
 * @throws {UsageError} a newer release has written the log
 */
export function refuseNewerFormat(file: string): void {
  requireKnownFormat(file, readFormat(file));
}

/** Decodes the stored format of a log (see {@link FORMAT_KEY}). Returns 1 if the log stores no format. */
export function formatOf(value: Uint8Array | undefined): number {
  return value === undefined ? 1 : Buffer.from(value).readUInt32BE(0);
}

/** Checks a format. @throws {UsageError} a newer release has written the log */
export function requireKnownFormat(file: string, format: number): void {
  if (format <= FORMAT) return;
  throw new UsageError(
    `${file} has log format ${format}, this release of Tronicle reads up to format ${FORMAT}; use the release that wrote the log, or a newer one`,
  );
}

function readFormat(path: string): number {
  let file: LmdbFile | undefined;
  let format = 1;
  try {
    file = new LmdbFile(path);
    file.readTables();
    file.walkTable('meta', (key, row) => {
      if (key.toString() === FORMAT_KEY) format = formatOf(openMetaRow(FORMAT_KEY, row));
    });
  } catch (error) {
    if (!(error instanceof LmdbFileError) && (error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  } finally {
    file?.close();
  }
  return format;
}
