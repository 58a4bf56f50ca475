import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Logger } from 'pino';
import { type AbiFunction, functionsOfAbi } from './abi-functions.js';
import { type AbiEntries, type AbiEvent, eventsOfAbi } from './decode-event.js';
import { EventDecoder } from './event-decoder.js';
import { readAbi } from './read-abi.js';

/** What is told of a contract by an ABI that is not on the chain. */
export interface OperatorAbi {
  /** By signature hash (hex): what java-tron's triggers name an event by. */
  readonly events: ReadonlyMap<string, AbiEvent>;
  /** Decodes logs in full. */
  readonly decoder: EventDecoder;
  /** By selector (hex). */
  readonly functions: ReadonlyMap<string, AbiFunction>;
}

interface Known {
  checkedMs: number;
  /** Of the file; undefined: there is none. */
  modifiedMs: number | undefined;
  abi: OperatorAbi | undefined;
}

/** ABIs that are kept at once: some 20 kB each. */
const KEPT_MAX = 500;
/** ms for which a file is taken to be as it was. */
const FRESH_MS = 1000;
/** A larger file is no ABI. */
const FILE_BYTES_MAX = 4 * 1024 * 1024;

/**
 * ABIs that the operator gave, as files `<address>.json` (hex, 21 bytes) in `<data>/abis`: put there by hand, or by the
 * admin interface. Contracts have none on the chain that a contract made, that stand behind a proxy, or whose owner
 * took it off. Threads share them by the folder: each looks at a file anew when a second has passed.
 */
export class OperatorAbis {
  private readonly folder: string;
  private readonly warn: (path: string, error: Error) => void;
  private readonly now: () => number;
  private readonly known = new Map<string, Known>();

  /** @param warn is told of a file that is no ABI, once for each of its versions; it counts as absent */
  constructor(dataDir: string, warn: (path: string, error: Error) => void, now: () => number = Date.now) {
    this.folder = join(dataDir, 'abis');
    this.warn = warn;
    this.now = now;
  }

  /** @param address hex */
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

  /** Addresses (hex) of which there is a file. */
  addresses(): readonly string[] {
    try {
      const names = readdirSync(this.folder).map((name) => FILE_NAME.exec(name)?.[1]);
      return names.filter((name) => name !== undefined).sort();
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
      throw error;
    }
  }

  /** @param address hex @param json an ABI in any form that `readAbi` takes @throws {TronError} BAD_ABI */
  give(address: string, json: unknown): void {
    readAbi(json);
    mkdirSync(this.folder, { recursive: true });
    const path = this.pathOf(address);
    writeFileSync(`${path}.new`, JSON.stringify(json));
    renameSync(`${path}.new`, path);
    this.known.delete(address);
  }

  /** @returns false where there was none */
  remove(address: string): boolean {
    const isThere = statSync(this.pathOf(address), { throwIfNoEntry: false }) !== undefined;
    rmSync(this.pathOf(address), { force: true });
    this.known.delete(address);
    return isThere;
  }

  private pathOf(address: string): string {
    return join(this.folder, `${address}.json`);
  }

  private read(path: string): OperatorAbi | undefined {
    try {
      if (statSync(path).size > FILE_BYTES_MAX) throw new RangeError(`it has more than ${FILE_BYTES_MAX} bytes`);
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

/** What the chain says of a contract, and before it what was given. */
export function withOperatorAbis<V>(
  chain: ReadonlyMap<string, V>,
  given: ReadonlyMap<string, V> | undefined,
): ReadonlyMap<string, V> {
  return given === undefined ? chain : new Map([...chain, ...given]);
}

/** Those of a data folder. A file that is no ABI is told in the log. */
export function openOperatorAbis({
  dataDir,
  log,
}: {
  readonly dataDir: string;
  readonly log: Pick<Logger, 'warn'>;
}): OperatorAbis {
  return new OperatorAbis(dataDir, (path, error) =>
    log.warn({ path, reason: error.message }, 'an ABI that was given cannot be read'),
  );
}
