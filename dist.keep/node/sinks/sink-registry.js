import { existsSync, readFileSync } from 'node:fs';
import { UsageError } from '../../log/domain/errors.js';
import { replaceFile } from '../../log/domain/replace-file.js';
import { filterFromJson, sinkFromJson } from '../config/sink-rows.js';
const NOTHING = { added: [], paused: [], removed: [], filters: {} };
/** The sinks of the configuration with what was changed at run time, which is kept in `<data>/streams/sinks.json`. */
export class SinkRegistry {
    configured;
    file;
    changes;
    /** @throws {UsageError} a file that this class did not write */
    constructor(configured, file) {
        this.configured = configured;
        this.file = file;
        this.changes = existsSync(file) ? readChanges(file) : NOTHING;
    }
    all() {
        const { added, removed, paused, filters } = this.changes;
        const kept = this.configured.filter(({ name }) => !removed.includes(name));
        return [...kept, ...added.map(sinkFromJson)].map((options) => {
            const filter = filters[options.name];
            return {
                options: filter === undefined ? options : withFilter(options, filter),
                isPaused: paused.includes(options.name),
            };
        });
    }
    /** @throws {UsageError} */
    find(name) {
        const found = this.all().find(({ options }) => options.name === name);
        if (found !== undefined)
            return found;
        const names = this.all().map(({ options }) => options.name);
        throw new UsageError(`there is no sink ${name}; there ${names.length === 1 ? 'is' : 'are'} ${names.join(', ') || 'none'}`);
    }
    /** @throws {UsageError} members that a configuration could not have either, or a name that is taken */
    add(json) {
        const options = sinkFromJson(json);
        if (this.all().some(({ options: { name } }) => name === options.name))
            throw new UsageError(`there is a sink ${options.name} already`);
        const { added, removed } = this.changes;
        this.write({ ...this.changes, added: [...added, json], removed: removed.filter((name) => name !== options.name) });
        return options;
    }
    remove(name) {
        const { added, removed, paused, filters } = this.changes;
        const { [name]: _, ...others } = filters;
        const isConfigured = this.configured.some((sink) => sink.name === name);
        this.write({
            added: added.filter((sink) => sink.name !== name),
            removed: isConfigured ? [...new Set([...removed, name])] : removed,
            paused: paused.filter((sink) => sink !== name),
            filters: others,
        });
    }
    setPaused(name, isPaused) {
        const others = this.changes.paused.filter((sink) => sink !== name);
        this.write({ ...this.changes, paused: isPaused ? [...others, name] : others });
    }
    /** @throws {UsageError} no filter */
    setFilter(name, filter) {
        withFilter(this.find(name).options, filter);
        this.write({ ...this.changes, filters: { ...this.changes.filters, [name]: filter } });
    }
    write(changes) {
        replaceFile(this.file, `${JSON.stringify(changes)}\n`, 0o600);
        this.changes = changes;
    }
}
function withFilter(options, filter) {
    return { ...options, filter: filterFromJson(filter) };
}
function readChanges(file) {
    try {
        const changes = { ...NOTHING, ...JSON.parse(readFileSync(file, 'utf8')) };
        changes.added.map(sinkFromJson);
        return changes;
    }
    catch (cause) {
        throw new UsageError(`${file} does not hold what was changed of the sinks: delete it to have those of the configuration`, {
            cause,
        });
    }
}
//# sourceMappingURL=sink-registry.js.map