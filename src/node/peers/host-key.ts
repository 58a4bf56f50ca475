import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createHostKey } from '../../p2p/links/libp2p-host.js';

/** File of the node's identity on encrypted links: an Ed25519 key in protobuf. Only its owner can read the file. */
const FILE = 'libp2p.key';

/**
 * Returns the host key of a data folder, and creates the key if it is missing. Two threads may call this at the same
 * time.
 * @throws {Error} the file is not readable or writable
 */
export async function hostKey(dataDir: string): Promise<Uint8Array> {
  const file = join(dataDir, FILE);
  const stored = readIfThere(file);
  if (stored !== undefined) return stored;
  try {
    writeFileSync(file, await createHostKey(), { flag: 'wx', mode: 0o600 });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
  return readFileSync(file);
}

function readIfThere(file: string): Uint8Array | undefined {
  try {
    return readFileSync(file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    return undefined;
  }
}
