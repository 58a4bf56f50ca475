import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Environment variable with the folder of a compiled java-tron. Its jars are in `lib`, its classes in `classes`. */
const VARIABLE = 'TRONICLE_REFERENCE';
/** Environment variable with the release of the java-tron in that folder. */
const RELEASE = 'TRONICLE_REFERENCE_RELEASE';
const here = fileURLToPath(new URL('.', import.meta.url));

/** Returns the value of the environment variable without checking the folder; undefined if it is not set. */
export function namedReference(): string | undefined {
  return process.env[VARIABLE];
}

/** Returns the release of the compiled java-tron; 4.7.2 if the environment variable is not set. */
export function namedRelease(): string {
  return process.env[RELEASE] ?? '4.7.2';
}

/**
 * @returns the folder in the environment variable
 * @throws {AssertionError} the variable is not set, or the folder has no classes
 */
export function compiledReference(): string {
  const folder = namedReference();
  assert.ok(
    folder !== undefined && existsSync(join(folder, 'classes')),
    `${VARIABLE} must name the folder of a compiled java-tron: its jars in lib, its classes in classes`,
  );
  return folder;
}

/** Folders with compiled programs, by name of the program and folder of java-tron. */
const compiled = new Map<string, string>();

/**
 * Compiles a Java program of this folder against a compiled java-tron. Needs JDK 17.
 * @param target folder for the classes; if it has classes, the program is not compiled again
 * @returns the class path that runs the program
 */
export function compileDriver(name: string, reference: string, target: string): string {
  const path = [join(reference, 'lib', '*'), join(reference, 'classes')].join(delimiter);
  const key = [name, reference].join(delimiter);
  const known = compiled.get(key);
  if (known !== undefined && existsSync(join(known, `${name}.class`))) return [known, path].join(delimiter);
  compiled.set(key, target);
  execFileSync('javac', [
    '-nowarn',
    '-proc:none',
    '-cp',
    path,
    '-sourcepath',
    here,
    '-d',
    target,
    join(here, `${name}.java`),
  ]);
  return [target, path].join(delimiter);
}
