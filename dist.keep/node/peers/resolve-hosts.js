import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
/** Nodes by address: who connects is known by it. A name that has none is left out. Reference: InetSocketAddress. */
export async function resolveHosts(nodes, log) {
    const found = await Promise.all(nodes.map((node) => resolve(node, log)));
    return found.filter((node) => node !== undefined);
}
async function resolve({ host, port }, log) {
    if (isIP(host) !== 0)
        return { host, port };
    try {
        return { host: (await lookup(host)).address, port };
    }
    catch (error) {
        log.warn({ host, reason: error instanceof Error ? error.message : error }, 'a configured node has no address');
        return undefined;
    }
}
//# sourceMappingURL=resolve-hosts.js.map