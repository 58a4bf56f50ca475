import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { replaceFile } from '../../log/domain/replace-file.js';
/** Nodes that are kept, and ms between two times. Reference: NodePersistService. */
const NODES_MAX = 30;
const PERIOD_MS = 60_000;
/** The reference keeps the same text in its common store, under the key `peers`. */
const FILE = 'peers.json';
/** What an earlier run found; nothing when there is no file, or none that can be read. */
export function readStoredNodes(dataDir, log) {
    try {
        const { nodes } = JSON.parse(readFileSync(join(dataDir, FILE), 'utf8'));
        return Array.isArray(nodes) ? nodes.filter(isHostPort).slice(0, NODES_MAX) : [];
    }
    catch (error) {
        if (error.code !== 'ENOENT')
            log.warn({ err: error, file: FILE }, 'no nodes can be read');
        return [];
    }
}
/** Writes what is known once a minute until the result is called. `node.discovery.persist` */
export function storeNodes(dataDir, known, log) {
    const timer = setInterval(() => {
        try {
            writeStoredNodes(dataDir, known());
        }
        catch (error) {
            log.warn({ err: error, file: FILE }, 'nodes cannot be stored');
        }
    }, PERIOD_MS).unref();
    return () => clearInterval(timer);
}
export function writeStoredNodes(dataDir, known) {
    const nodes = known.slice(0, NODES_MAX).map(({ host, port }) => ({ host, port }));
    replaceFile(join(dataDir, FILE), JSON.stringify({ nodes }));
}
function isHostPort(value) {
    const { host, port } = (value ?? {});
    return typeof host === 'string' && Number.isInteger(port);
}
//# sourceMappingURL=stored-nodes.js.map