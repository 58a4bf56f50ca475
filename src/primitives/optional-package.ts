import { UsageError } from './errors.js';

/**
 * Loads a package that is not part of an installation of the node, because few nodes need it.
 * @param name package with a version that is known to work: `zeromq@6`
 * @param purpose configuration key or feature that needs the package; part of the error text
 * @throws {UsageError} the package is not installed. The message contains the command that installs it
 */
export async function loadOptional<T>(name: string, purpose: string, load: () => Promise<T>): Promise<T> {
  try {
    return await load();
  } catch (error) {
    const plain = name.replace(/(?<=.)@.*$/, '');
    if (!isMissing(error, plain)) throw error;
    throw new UsageError(
      `${purpose} needs the package ${plain}; in the folder of Tronicle, run: npm install --no-save ${name}`,
      {
        cause: error,
      },
    );
  }
}

/**
 * Returns true if an import failed because the package itself is missing. Returns false if one of its dependencies is
 * missing.
 */
function isMissing(error: unknown, name: string): boolean {
  if (!(error instanceof Error)) return false;
  return (error as NodeJS.ErrnoException).code === 'ERR_MODULE_NOT_FOUND' && error.message.includes(`'${name}'`);
}
