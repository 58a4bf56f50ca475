import { TronError } from '../primitives/errors.js';

/**
 * Thrown for a data folder of java-tron that cannot be read: damaged, incomplete, or of another kind. The message
 * begins with the file name.
 */
export class JavaDataError extends TronError<'JAVA_DATA_UNREADABLE'> {
  /** Path of the file inside the folder or archive, or of the folder itself. */
  readonly file: string;

  constructor(file: string, finding: string, options?: ErrorOptions) {
    super('JAVA_DATA_UNREADABLE', `${file}: ${finding}`, options);
    this.file = file;
  }
}
