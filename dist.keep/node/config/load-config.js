import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { UsageError } from '../../log/domain/errors.js';
import { configTable } from './config-table.js';
import { isOwnEndpoint } from './endpoint.js';
import { flagRows, NO_FLAGS } from './flags.js';
import { addressPrefix } from './genesis.js';
import { readHoconFile } from './hocon.js';
import { checkForRelease } from './release-checks.js';
import { readTree } from './row.js';
import { ConfigSource } from './source.js';
import { warnUnknownKeys } from './unknown-keys.js';
import { readWitness } from './witness.js';
/** The main net, used when no file is named and the working directory has none. */
export const MAIN_NET_FILE = fileURLToPath(new URL('../../../config/main.conf', import.meta.url));
/**
 * Reads the file and the command line; the file is used alone, nothing is merged into it.
 * @throws {UsageError} one sentence: no such file, wrong syntax, wrong value, with the reference's text where it has one.
 */
export function loadConfig({ file, flags = NO_FLAGS, defaults = {} } = {}) {
    const path = findConfigFile(file ?? flags.configFile);
    return configFrom(readHoconFile(path), { file: path, flags, defaults });
}
/** The same for a configuration that is in memory; `file` is its name. @throws {UsageError} as loadConfig. */
export function configFrom(root, options) {
    const { file = 'memory', flags = NO_FLAGS, defaults = {} } = options;
    const source = new ConfigSource(file, root, flags, overridesOf(flags, defaults));
    const config = readConfig(source);
    return { config, warnings: [...source.warnings, ...warnUnknownKeys(root)] };
}
/** Reference: Configuration.getByFileName; the name of the bundled file stands for ours. */
function findConfigFile(name) {
    const wanted = name?.trim() ? name : 'config.conf';
    if (existsSync(wanted))
        return wanted;
    if (wanted === 'config.conf')
        return MAIN_NET_FILE;
    throw new UsageError(`Configuration path is required! No Such file ${wanted}`);
}
function readConfig(source) {
    const { flags } = source;
    const whole = readTree(configTable, source);
    checkForRelease(source, whole);
    const { node, ...table } = whole;
    const { active: _active, passive: _passive, ...rest } = node;
    const minConnections = Math.min(node.minConnections, node.maxConnections);
    return freeze({
        file: source.file,
        outputDirectory: flags.outputDirectory ?? 'output-directory',
        p2pDisable: flags.p2pDisable === true,
        debug: flags.debug === true,
        eventSubscription: flags.es === true,
        fastForward: flags.fastForward === true,
        witness: readWitness(source, table.crypto.engine),
        addressPrefix: addressPrefix(source),
        peers: peerLists(node),
        ...table,
        node: {
            ...rest,
            fastForward: withoutOwn(node.fastForward, node),
            minConnections,
            minActiveConnections: Math.min(node.minActiveConnections, minConnections),
        },
    });
}
function peerLists(node) {
    return freeze({ active: withoutOwn(node.active, node), passive: node.passive });
}
function withoutOwn(list, { discovery, listen }) {
    const hosts = [discovery.bind.ip, discovery.external.ip].flatMap((ip) => ip?.trim() || []);
    return list.filter((endpoint) => !isOwnEndpoint(endpoint, { hosts, port: listen.port }));
}
function overridesOf(flags, defaults) {
    const wins = new Map();
    const standIn = new Map(Object.entries(defaults));
    for (const { key, precedence } of flagRows) {
        const text = key === undefined ? undefined : flags.keys.get(key);
        if (key === undefined || text === undefined || text === '')
            continue;
        if (precedence === 'flag')
            wins.set(key, text);
        if (precedence === 'key')
            standIn.set(key, text);
    }
    return { wins, standIn };
}
/** Plain objects and lists, all the way down; others (cron rules) guard themselves. */
function freeze(value) {
    const isPlain = Array.isArray(value) || (typeof value === 'object' && value !== null && isPlainObject(value));
    if (isPlain && !Object.isFrozen(value)) {
        Object.freeze(value);
        for (const member of Object.values(value))
            freeze(member);
    }
    return value;
}
function isPlainObject(value) {
    return Object.getPrototypeOf(value) === Object.prototype;
}
//# sourceMappingURL=load-config.js.map