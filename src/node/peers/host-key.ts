import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createHostKey } from '../../p2p/links/libp2p-host.js';

/** The identity of a node on encrypted links: an Ed25519 key as protobuf, for its owner only. */
const FILE = 'libp2p.key';

/**
 * The key of a data folder; made when there is none. Two threads may ask at a time.
 * @throws {Error} it cannot be read or written
 */
export async function hostKey(dataDir: string): Promise<Uint8Array> {
  const file = join(dataDir, FILE);
  const kept = readIfThere(file);
  if (kept !== undefined) return kept;
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
