import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Logger } from 'pino';
import { replaceFile } from '../../files/replace-file.js';
import type { HostPort } from '../../p2p/transport/node-address.js';

/** Maximum number of stored nodes. Reference: NodePersistService. */
const NODES_MAX = 30;
/** Interval between two writes, in ms. Reference: NodePersistService. */
const PERIOD_MS = 60_000;
/** File name in the data folder. java-tron stores the same JSON text in its store `common`, under the key `peers`. */
const FILE = 'peers.json';

/** Returns the nodes that an earlier run stored; an empty list if the file is missing or not readable. */
export function readStoredNodes(dataDir: string, log: Logger): readonly HostPort[] {
  try {
    const { nodes } = JSON.parse(readFileSync(join(dataDir, FILE), 'utf8')) as { nodes?: unknown };
    return Array.isArray(nodes) ? nodes.filter(isHostPort).slice(0, NODES_MAX) : [];
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT')
      log.warn({ err: error, file: FILE }, 'list of known peers not readable');
    return [];
  }
}

/**
 * Writes the known nodes to a file once a minute (`node.discovery.persist`).
 * @returns a function that ends the periodic writes
 */
export function storeNodes(dataDir: string, known: () => readonly HostPort[], log: Logger): () => void {
  const timer = setInterval(() => {
    try {
      writeStoredNodes(dataDir, known());
    } catch (error) {
      log.warn({ err: error, file: FILE }, 'list of known peers not stored');
    }
  }, PERIOD_MS).unref();
  return () => clearInterval(timer);
}

export function writeStoredNodes(dataDir: string, known: readonly HostPort[]): void {
  const nodes = known.slice(0, NODES_MAX).map(({ host, port }) => ({ host, port }));
  replaceFile(join(dataDir, FILE), JSON.stringify({ nodes }));
}

function isHostPort(value: unknown): value is HostPort {
  const { host, port } = (value ?? {}) as Record<string, unknown>;
  return typeof host === 'string' && Number.isInteger(port);
}
