import { existsSync, readFileSync } from 'node:fs';
import { filterFromJson, type SinkNetwork, sinkFromJson } from '../../config/rows/sink-rows.js';
import { isSamePath, isWithin } from '../../files/is-within.js';
import { replaceFile } from '../../files/replace-file.js';
import { errorText, UsageError } from '../../primitives/errors.js';
import { CheckpointFile, checkpointFileOf, sinkChangesFileOf } from '../../streams/sinks/checkpoint-file.js';
import { fileOfSink, type SinkOptions } from '../../streams/sinks/sink-kinds.js';

/** A sink in the JSON form of an element of `tronicle.sinks`. */
export type SinkJson = Readonly<Record<string, unknown>> & { readonly name: string };

/** Changes of sinks that were made while the node was running. */
interface Changes {
  readonly added: readonly SinkJson[];
  readonly paused: readonly string[];
  readonly removed: readonly string[];
  /** Filters that replace the configured filters, by sink name. */
  readonly filters: Readonly<Record<string, object>>;
}

const NOTHING: Changes = { added: [], paused: [], removed: [], filters: {} };

interface KnownSink {
  readonly options: SinkOptions;
  readonly isPaused: boolean;
}

/** Folders in which run-time sinks may write files. */
interface SinkFolders {
  readonly dataDir: string;
  /** Configured folders in addition to the data folder (`tronicle.admin.sinkFolders`). */
  readonly allowed: readonly string[];
}

/**
 * The configured sinks, including the changes made at run time. Stores these changes in `<data>/streams/sinks.json`.
 */
export class SinkRegistry {
  private readonly configured: readonly SinkOptions[];
  private readonly folders: SinkFolders;
  private readonly file: string;
  private readonly network: SinkNetwork;
  private changes: Changes;

  /**
   * Reads the stored changes.
   * @throws {UsageError} the file of the changes is malformed, or two sinks write to the same file
   */
  constructor(configured: readonly SinkOptions[], folders: SinkFolders, network: SinkNetwork) {
    this.network = network;
    this.configured = configured;
    this.folders = folders;
    this.file = sinkChangesFileOf(folders.dataDir);
    this.changes = existsSync(this.file) ? readChanges(this.file, network) : NOTHING;
    const all = this.all().map(({ options }) => options);
    for (const [at, options] of all.entries()) this.checkFileUnused(options, all.slice(0, at));
  }

  all(): readonly KnownSink[] {
    const { added, removed, paused, filters } = this.changes;
    const remaining = this.configured.filter(({ name }) => !removed.includes(name));
    return [...remaining, ...added.map((sink) => sinkFromJson(sink, this.network))].map((options) => {
      const filter = filters[options.name];
      return {
        options: filter === undefined ? options : withFilter(options, filter, this.network),
        isPaused: paused.includes(options.name),
      };
    });
  }

  /** Returns the sink with a name. @throws {UsageError} unknown name */
  find(name: string): KnownSink {
    const found = this.all().find(({ options }) => options.name === name);
    if (found !== undefined) return found;
    const names = this.all().map(({ options }) => options.name);
    throw new UsageError(`unknown sink ${name}; existing sinks: ${names.join(', ') || 'none'}`);
  }

  /**
   * Adds a sink.
   * @throws {UsageError} the options are invalid, the name already exists, or the file belongs to a different sink or
   * is outside of the allowed folders
   */
  add(json: SinkJson): SinkOptions {
    const options = sinkFromJson(json, this.network);
    const existing = this.all().map((sink) => sink.options);
    if (existing.some(({ name }) => name === options.name))
      throw new UsageError(`a sink with the name ${options.name} already exists; use another name`);
    this.checkFolder(options);
    this.checkFileUnused(options, existing);
    const { added, removed } = this.changes;
    this.write({ ...this.changes, added: [...added, json], removed: removed.filter((name) => name !== options.name) });
    return options;
  }

  /**
   * Returns the options of a backfill under an unused name. The name of a complete backfill cannot be used again,
   * because its stored position is at the end of its range.
   * @throws {UsageError} the target is a file to which a complete backfill or a different sink has written
   */
  newBackfill(sink: SinkOptions): SinkOptions {
    const { dataDir } = this.folders;
    const others = this.all().flatMap(({ options }) => (options.name === sink.name ? [] : [options]));
    this.checkFileUnused(sink, others);
    const isDone = (name: string): boolean =>
      new CheckpointFile(checkpointFileOf(dataDir, name)).read()?.isDone === true;
    if (!isDone(sink.name)) return sink;
    const path = fileOfSink(sink, dataDir);
    if (path !== undefined && existsSync(path))
      throw new UsageError(
        `${path} contains the records of an earlier backfill; set another file with --into, or delete this file to backfill again`,
      );
    let count = 2;
    while (isDone(`${sink.name}-${count}`)) count++;
    return { ...sink, name: `${sink.name}-${count}` };
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

  /** Replaces the filter of a sink. @throws {UsageError} unknown sink or invalid filter */
  setFilter(name: string, filter: object): void {
    withFilter(this.find(name).options, filter, this.network);
    this.write({ ...this.changes, filters: { ...this.changes.filters, [name]: filter } });
  }

  /**
   * Checks that a sink writes only to allowed folders, because clients of the admin server can add sinks.
   * @throws {UsageError} the file is not in an allowed folder
   */
  private checkFolder(options: SinkOptions): void {
    const { dataDir, allowed } = this.folders;
    const path = fileOfSink(options, dataDir);
    if (path === undefined || [dataDir, ...allowed].some((folder) => isWithin(folder, path))) return;
    throw new UsageError(
      `${path} is outside of the data folder; use a path in the data folder for a sink that is added at run time, ` +
        'or add the folder to tronicle.admin.sinkFolders',
    );
  }

  /**
   * Checks that no other sink writes to the file of a sink. A sink resumes after the last complete block in its file,
   * which must therefore not be a block of another sink.
   * @throws {UsageError} another sink has the same file
   */
  private checkFileUnused(options: SinkOptions, others: readonly SinkOptions[]): void {
    const { dataDir } = this.folders;
    const path = fileOfSink(options, dataDir);
    if (path === undefined) return;
    const other = others.find((sink) => {
      const used = fileOfSink(sink, dataDir);
      return used !== undefined && isSamePath(used, path);
    });
    if (other === undefined) return;
    throw new UsageError(
      `sinks ${other.name} and ${options.name} both write to ${path}; set another path for one of them`,
    );
  }

  private write(changes: Changes): void {
    replaceFile(this.file, `${JSON.stringify(changes)}\n`, 0o600);
    this.changes = changes;
  }
}

function withFilter(options: SinkOptions, filter: object, network: SinkNetwork): SinkOptions {
  return { ...options, filter: filterFromJson(filter, network) };
}

function readChanges(file: string, network: SinkNetwork): Changes {
  try {
    const changes = { ...NOTHING, ...(JSON.parse(readFileSync(file, 'utf8')) as Changes) };
    for (const sink of changes.added) sinkFromJson(sink, network);
    return changes;
  } catch (cause) {
    throw new UsageError(
      `${file} is malformed: ${errorText(cause)}; delete the file to use only the sinks of the configuration`,
      { cause },
    );
  }
}
