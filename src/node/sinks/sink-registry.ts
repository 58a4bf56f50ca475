import { existsSync, readFileSync } from 'node:fs';
import { filterFromJson, sinkFromJson } from '../../config/rows/sink-rows.js';
import { replaceFile } from '../../files/replace-file.js';
import { UsageError } from '../../primitives/errors.js';
import type { SinkOptions } from '../../streams/sinks/sink-kinds.js';

/** A sink as a caller gives it: the members of an element of `tronicle.sinks`. */
export type SinkJson = Readonly<Record<string, unknown>> & { readonly name: string };

/** What was changed while the node ran. */
interface Changes {
  readonly added: readonly SinkJson[];
  readonly paused: readonly string[];
  readonly removed: readonly string[];
  /** By sink, in place of the configured one. */
  readonly filters: Readonly<Record<string, object>>;
}

const NOTHING: Changes = { added: [], paused: [], removed: [], filters: {} };

interface KnownSink {
  readonly options: SinkOptions;
  readonly isPaused: boolean;
}

/** The sinks of the configuration with what was changed at run time, which is kept in `<data>/streams/sinks.json`. */
export class SinkRegistry {
  private readonly configured: readonly SinkOptions[];
  private readonly file: string;
  private changes: Changes;

  /** @throws {UsageError} a file that this class did not write */
  constructor(configured: readonly SinkOptions[], file: string) {
    this.configured = configured;
    this.file = file;
    this.changes = existsSync(file) ? readChanges(file) : NOTHING;
  }

  all(): readonly KnownSink[] {
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
  find(name: string): KnownSink {
    const found = this.all().find(({ options }) => options.name === name);
    if (found !== undefined) return found;
    const names = this.all().map(({ options }) => options.name);
    throw new UsageError(
      `there is no sink ${name}; there ${names.length === 1 ? 'is' : 'are'} ${names.join(', ') || 'none'}`,
    );
  }

  /** @throws {UsageError} members that a configuration could not have either, or a name that is taken */
  add(json: SinkJson): SinkOptions {
    const options = sinkFromJson(json);
    if (this.all().some(({ options: { name } }) => name === options.name))
      throw new UsageError(`there is a sink ${options.name} already`);
    const { added, removed } = this.changes;
    this.write({ ...this.changes, added: [...added, json], removed: removed.filter((name) => name !== options.name) });
    return options;
  }

  remove(name: string): void {
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

  setPaused(name: string, isPaused: boolean): void {
    const others = this.changes.paused.filter((sink) => sink !== name);
    this.write({ ...this.changes, paused: isPaused ? [...others, name] : others });
  }

  /** @throws {UsageError} no filter */
  setFilter(name: string, filter: object): void {
    withFilter(this.find(name).options, filter);
    this.write({ ...this.changes, filters: { ...this.changes.filters, [name]: filter } });
  }

  private write(changes: Changes): void {
    replaceFile(this.file, `${JSON.stringify(changes)}\n`, 0o600);
    this.changes = changes;
  }
}

function withFilter(options: SinkOptions, filter: object): SinkOptions {
  return { ...options, filter: filterFromJson(filter) };
}

function readChanges(file: string): Changes {
  try {
    const changes = { ...NOTHING, ...(JSON.parse(readFileSync(file, 'utf8')) as Changes) };
    changes.added.map(sinkFromJson);
    return changes;
  } catch (cause) {
    throw new UsageError(
      `${file} does not hold what was changed of the sinks: delete it to have those of the configuration`,
      {
        cause,
      },
    );
  }
}
