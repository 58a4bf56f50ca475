import { UsageError } from '../../log/domain/errors.js';
import { parseFlags } from '../config/flags.js';
/** Splits a command's own options from the reference's flags. @throws {UsageError} an option without its value, a foreign one */
export function readArguments(args, names) {
    const options = new Map();
    const rest = [];
    for (let at = 0; at < args.length; at++) {
        const arg = args[at];
        const [name, inline] = arg.split(/=(.*)/s, 2);
        const kind = names[name];
        if (kind === undefined) {
            rest.push(arg);
            continue;
        }
        const value = kind === 'switch' ? 'true' : (inline ?? args[++at]);
        if (value === undefined)
            throw new UsageError(`${name} needs a value`);
        options.set(name, value);
    }
    const { flags } = parseFlags(rest);
    return { options, flags, words: flags.seedNodes };
}
/** @throws {UsageError} a text that is no whole number, 0 or more */
export function heightOf(text, name) {
    if (text === undefined)
        return undefined;
    if (!/^\d{1,15}$/.test(text))
        throw new UsageError(`${name} needs a height, not ${text}`);
    return Number(text);
}
//# sourceMappingURL=arguments.js.map