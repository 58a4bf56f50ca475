import { valueAt } from './hocon-value.js';
/** One start's input: the file, the command line, and the warnings that reading them gave. */
export class ConfigSource {
    file;
    root;
    flags;
    warnings = [];
    overrides;
    constructor(file, root, flags, overrides) {
        this.file = file;
        this.root = root;
        this.flags = flags;
        this.overrides = overrides;
    }
    /** Value of a key, unless absent or null. */
    value(key) {
        const text = this.overrides.wins.get(key);
        return text === undefined ? valueAt(this.root, key) : flagValue(text);
    }
    /** The command line's stand-in for an absent key, else `fallback`. */
    fallback(key, fallback, read) {
        const text = this.overrides.standIn.get(key);
        return text === undefined ? fallback : read(flagValue(text), key, this);
    }
    warn(text) {
        this.warnings.push(text);
    }
}
/** Origin of values that a flag gave. */
export const COMMAND_LINE = { file: 'command line', line: 0 };
function flagValue(text) {
    return { kind: 'string', text, origin: COMMAND_LINE };
}
//# sourceMappingURL=source.js.map