import { TronError } from '../log/domain/errors.js';
/** A data folder of the reference that cannot be read: damaged, incomplete, or of another kind. The message begins with the file. */
export class JavaDataError extends TronError {
    /** Path of the file inside the folder or archive, or of the folder itself. */
    file;
    constructor(file, finding, options) {
        super('JAVA_DATA_UNREADABLE', `${file}: ${finding}`, options);
        this.file = file;
    }
}
//# sourceMappingURL=java-data-error.js.map