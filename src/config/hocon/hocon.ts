import { readFileSync } from 'node:fs';
import { dirname, isAbsolute, join } from 'node:path';
import { isSystemError, systemErrorText } from '../../files/system-error.js';
import { UsageError } from '../../primitives/errors.js';
import { type ObjectNode, setField } from './hocon-nodes.js';
import { type IncludeRequest, parseHocon } from './hocon-parser.js';
import { type EnvironmentVariables, resolveHocon } from './hocon-resolver.js';
import { type HoconObject, originText } from './hocon-value.js';
import { parseProperties } from './properties.js';

/** Maximum depth of nested includes. A greater depth means that a file includes itself. */
const INCLUDE_DEPTH_MAX = 50;

/** Extensions of included files. Values of later extensions take precedence. Reference: SimpleIncluder.fromBasename. */
const EXTENSIONS = ['.properties', '.json', '.conf'];

/**
 * Reads a HOCON file as typesafe config 1.3.2 does, and resolves substitutions and includes.
 *
 * java-tron does not resolve substitutions in an operator's file: it fails when it reads a key with a substitution. A
 * file that java-tron accepts therefore has the same values in both nodes.
 * @param warn receives a sentence for each included file that does not exist
 * @throws {UsageError} unreadable or malformed file; the message is one sentence with `file: line`
 */
export function readHoconFile(
  file: string,
  env: EnvironmentVariables = process.env,
  warn: (text: string) => void = () => undefined,
): HoconObject {
  return readHoconText(readText(file), file, env, warn);
}

/**
 * Parses a HOCON text like {@link readHoconFile}. Includes are relative to `file`.
 * @throws {UsageError} the text or an included file is malformed
 */
export function readHoconText(
  text: string,
  file: string,
  env: EnvironmentVariables = process.env,
  warn: (text: string) => void = () => undefined,
): HoconObject {
  try {
    return resolveHocon(parseHocon(text, { file, include: (request) => include(request, 1, warn) }), env);
  } catch (error) {
    // The stack of the recursive parser is full.
    if (error instanceof RangeError) throw new UsageError(`${file}: objects or lists are nested too deeply`);
    throw error;
  }
}

/**
 * Reads an included file. A name without `file(…)` is relative to the including file. A name without extension means
 * name.properties, name.json and name.conf, which are merged in this order. A name in `file(…)` is relative to the
 * working directory. A missing file is empty and causes a warning, unless it is required.
 */
function include(request: IncludeRequest, depth: number, warn: (text: string) => void): ObjectNode {
  const { name, form, required, from, scope } = request;
  if (form === 'url' || form === 'classpath') {
    throw new UsageError(`${originText(from)}: include ${form}(…) is not supported; include a file`);
  }
  if (depth > INCLUDE_DEPTH_MAX) throw new UsageError(`${originText(from)}: include "${name}" includes itself`);
  const base = form === 'file' || isAbsolute(name) ? name : join(dirname(from.file), name);
  const files =
    form === 'heuristic' && !/\.(conf|json|properties)$/.test(base)
      ? EXTENSIONS.map((extension) => base + extension)
      : [base];
  const texts = files.flatMap((file) => {
    const text = readIfPresent(file);
    return text === undefined ? [] : [{ file, text }];
  });
  if (texts.length === 0) {
    const problem = `${originText(from)}: included file not found: ${base}`;
    if (required) throw new UsageError(problem);
    warn(problem);
  }
  const nested = (inner: IncludeRequest) => include(inner, depth + 1, warn);
  const merged: ObjectNode = { kind: 'object', fields: new Map(), origin: from };
  for (const { file, text } of texts) {
    const { fields } = file.endsWith('.properties')
      ? parseProperties(text, file)
      : parseHocon(text, { file, scope, include: nested });
    for (const [key, node] of fields) setField(merged.fields, key, node);
  }
  return merged;
}

function readText(file: string): string {
  try {
    return textOf(readFileSync(file, 'utf8'), file);
  } catch (cause) {
    throw unreadable(file, cause);
  }
}

function readIfPresent(file: string): string | undefined {
  try {
    return textOf(readFileSync(file, 'utf8'), file);
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw unreadable(file, cause);
  }
}

/** Returns the text unchanged. Rejects a text with zero bytes, because the file is then binary or UTF-16. */
function textOf(text: string, file: string): string {
  if (text.includes('\0')) throw new Error(`${file} is not UTF-8 text; save the file as UTF-8`);
  return text;
}

function unreadable(file: string, cause: unknown): UsageError {
  const reason = isSystemError(cause) ? systemErrorText(cause, file) : (cause as Error).message;
  return new UsageError(`cannot read the configuration: ${reason}`, { cause });
}
