import { readFileSync } from 'node:fs';
import { dirname, isAbsolute, join } from 'node:path';
import { UsageError } from '../../log/domain/errors.js';
import { setField } from './hocon-nodes.js';
import { parseHocon } from './hocon-parser.js';
import { resolveHocon } from './hocon-resolver.js';
import { originText } from './hocon-value.js';
/** Includes that deep are a file that includes itself. */
const INCLUDE_DEPTH_MAX = 50;
/**
 * Reads a HOCON file as typesafe config 1.3.2 does, substitutions and includes resolved. The reference leaves substitutions
 * of a file on disk unresolved and fails on reading such a key, so every file that works there means the same here.
 * @throws {UsageError} unreadable file, or wrong text: one sentence with `file: line`.
 */
export function readHoconFile(file, env = process.env) {
    return resolveHocon(parseHocon(readText(file), { file, include: (request) => include(request, 1) }), env);
}
/** The same for a text; includes are looked for beside `file`. */
export function readHoconText(text, file, env = process.env) {
    return resolveHocon(parseHocon(text, { file, include: (request) => include(request, 1) }), env);
}
/**
 * A bare name lies beside the including file; without ending it stands for name.json and name.conf, merged in this order.
 * `file(…)` is relative to the working directory. A missing file is empty unless required.
 */
function include(request, depth) {
    const { name, form, required, from, scope } = request;
    if (form === 'url' || form === 'classpath') {
        throw new UsageError(`${originText(from)}: include ${form}(…) is not supported, only files can be included`);
    }
    if (depth > INCLUDE_DEPTH_MAX)
        throw new UsageError(`${originText(from)}: include "${name}" includes itself`);
    const base = form === 'file' || isAbsolute(name) ? name : join(dirname(from.file), name);
    const files = form === 'heuristic' && !/\.(conf|json|properties)$/.test(base) ? [`${base}.json`, `${base}.conf`] : [base];
    const texts = files.flatMap((file) => {
        const text = readIfPresent(file);
        return text === undefined ? [] : [{ file, text }];
    });
    if (required && texts.length === 0)
        throw new UsageError(`${originText(from)}: included file not found: ${base}`);
    const nested = (inner) => include(inner, depth + 1);
    const merged = { kind: 'object', fields: new Map(), origin: from };
    for (const { file, text } of texts) {
        const { fields } = parseHocon(text, { file, scope, include: nested });
        for (const [key, node] of fields)
            setField(merged.fields, key, node);
    }
    return merged;
}
function readText(file) {
    try {
        return readFileSync(file, 'utf8');
    }
    catch (cause) {
        throw new UsageError(`cannot read configuration file ${file}: ${cause.message}`, { cause });
    }
}
function readIfPresent(file) {
    try {
        return readFileSync(file, 'utf8');
    }
    catch (cause) {
        if (cause.code === 'ENOENT')
            return undefined;
        throw new UsageError(`cannot read configuration file ${file}: ${cause.message}`, { cause });
    }
}
//# sourceMappingURL=hocon.js.map