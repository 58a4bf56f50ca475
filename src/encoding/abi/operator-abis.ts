import { readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Logger } from 'pino';
import { replaceFile } from '../../files/replace-file.js';
import { type AbiFunction, functionsOfAbi } from './abi-functions.js';
import { type AbiEntries, type AbiEvent, eventsOfAbi } from './decode-event.js';
import { EventDecoder } from './event-decoder.js';
import { readAbi } from './read-abi.js';

/** Events and functions of a contract, from an ABI that the operator added. */
export interface OperatorAbi {
  /** Events by signature hash (hex), as java-tron's event triggers need them. */
  readonly events: ReadonlyMap<string, AbiEvent>;
  /** Decoder of logs, including structs and anonymous events. */
  readonly decoder: EventDecoder;
  /** Functions by selector (hex). */
  readonly functions: ReadonlyMap<string, AbiFunction>;
}

interface OperatorEntry {
  checkedMs: number;
  /** Modification time of the file in ms; undefined if there is no file. */
  modifiedMs: number | undefined;
  abi: OperatorAbi | undefined;
}

/** Maximum number of ABIs in memory, about 20 kB each. */
const KEPT_MAX = 500;
/** Time after which a file is checked for changes again, in ms. */
const FRESH_MS = 1000;
/** Maximum size of an ABI file, in bytes. */
const FILE_BYTES_MAX = 4 * 1024 * 1024;

/**
 * Stores ABIs that the operator added, as files `<address>.json` (hex, 21 bytes) in `<data>/abis`. The operator or the
 * admin interface writes the files. All threads read the folder. Each thread checks a file for changes at most once per
 * second.
 *
 * These ABIs are for contracts without a useful ABI on the chain: another contract created the contract, callers use a
 * proxy, or the owner cleared the ABI.
 */
export class OperatorAbis {
  private readonly folder: string;
  private readonly warn: (path: string, error: Error) => void;
  private readonly now: () => number;
  private readonly known = new Map<string, OperatorEntry>();

  /**
   * @param warn called once for each version of an invalid file, and once for each file whose name is not an address.
   * These files are ignored
   */
  constructor(dataDir: string, warn: (path: string, error: Error) => void, now: () => number = Date.now) {
    this.folder = join(dataDir, 'abis');
    this.warn = warn;
    this.now = now;
    for (const name of this.files().filter((file) => !FILE_NAME.test(file)))
      warn(
        join(this.folder, name),
        new Error('file ignored, expected a name such as 41….json: 42 lower-case hex digits'),
      );
  }

  /** Returns the ABI of a contract; undefined if the operator added none. @param address hex */
  of(address: string): OperatorAbi | undefined {
    const known = this.known.get(address);
    const nowMs = this.now();
    if (known !== undefined && nowMs - known.checkedMs < FRESH_MS) return known.abi;
    const path = this.pathOf(address);
    const modifiedMs = statSync(path, { throwIfNoEntry: false })?.mtimeMs;
    if (known !== undefined && known.modifiedMs === modifiedMs) {
      known.checkedMs = nowMs;
      return known.abi;
    }
    const abi = modifiedMs === undefined ? undefined : this.read(path);
    if (this.known.size >= KEPT_MAX) this.known.clear();
    this.known.set(address, { checkedMs: nowMs, modifiedMs, abi });
    return abi;
  }

  /** Returns the addresses (hex) that have a file. */
  addresses(): readonly string[] {
    return this.files().flatMap((name) => FILE_NAME.exec(name)?.[1] ?? []);
  }

  /**
   * Stores an ABI.
   * @param address hex
   * @param json the ABI in any form that `readAbi` accepts
   * @throws {TronError} BAD_ABI: when the ABI is invalid
   */
  set(address: string, json: unknown): void {
    readAbi(json);
    replaceFile(this.pathOf(address), JSON.stringify(json));
    this.known.delete(address);
  }

  /** Deletes an ABI. @returns false if there was no ABI */
  remove(address: string): boolean {
    const isThere = statSync(this.pathOf(address), { throwIfNoEntry: false }) !== undefined;
    rmSync(this.pathOf(address), { force: true });
    this.known.delete(address);
    return isThere;
  }

  /** Returns the sorted names of the files in the folder. */
  private files(): string[] {
    try {
      return readdirSync(this.folder).sort();
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
      throw error;
    }
  }

  private pathOf(address: string): string {
    return join(this.folder, `${address}.json`);
  }

  private read(path: string): OperatorAbi | undefined {
    try {
      if (statSync(path).size > FILE_BYTES_MAX) throw new RangeError(`file exceeds ${FILE_BYTES_MAX} bytes`);
      return factsOf(readAbi(JSON.parse(readFileSync(path, 'utf8'))));
    } catch (error) {
      this.warn(path, error as Error);
      return undefined;
    }
  }
}

const FILE_NAME = /^([0-9a-f]{42})\.json$/;

function factsOf(abi: AbiEntries): OperatorAbi {
  return { events: eventsOfAbi(abi), decoder: EventDecoder.of(abi), functions: functionsOfAbi(abi) };
}

/**
 * Merges the ABI of the chain with the operator's ABI. If both have an entry with the same key, the operator's entry
 * applies.
 */
export function withOperatorAbis<V>(
  chain: ReadonlyMap<string, V>,
  operator: ReadonlyMap<string, V> | undefined,
): ReadonlyMap<string, V> {
  return operator === undefined ? chain : new Map([...chain, ...operator]);
}

/** Opens the ABIs of a data folder. Logs a warning for each invalid file. */
export function openOperatorAbis({
  dataDir,
  log,
}: {
  readonly dataDir: string;
  readonly log: Pick<Logger, 'warn'>;
}): OperatorAbis {
  return new OperatorAbis(dataDir, (path, error) => log.warn({ path, reason: error.message }, 'ABI file invalid'));
}
