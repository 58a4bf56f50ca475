import { TronError } from '../primitives/errors.js';

/**
 * Thrown if a data folder of java-tron cannot be read: it is damaged or incomplete, or is not such a folder. The
 * message starts with the file name.
 */
export class JavaDataError extends TronError<'JAVA_DATA_UNREADABLE'> {
  /** Path of the file inside the folder or archive, or path of the folder. */
  readonly file: string;

  constructor(file: string, finding: string, options?: ErrorOptions) {
    super('JAVA_DATA_UNREADABLE', `${file}: ${finding}`, options);
    this.file = file;
  }
}
