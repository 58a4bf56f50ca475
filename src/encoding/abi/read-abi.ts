import {
  SmartContractABIEntryEntryType as EntryType,
  SmartContractABI,
  SmartContractABIEntry,
  SmartContractABIEntryParam,
} from '../../codec/generated/messages.js';
import { TronError } from '../../primitives/errors.js';

/** Entries that are read of one ABI: large ones have some hundreds. */
const ENTRIES_MAX = 5000;

const TYPES: Readonly<Record<string, number>> = {
  function: EntryType.Function,
  event: EntryType.Event,
  constructor: EntryType.Constructor,
  fallback: EntryType.Fallback,
  receive: EntryType.Receive,
  error: EntryType.Error,
};

/**
 * An ABI as compilers and wallets write it: a list of entries, or an object that holds one as
 * `abi` (artifacts of compilers) or as `entrys` (TRON's own form).
 * @throws {TronError} BAD_ABI
 */
export function readAbi(json: unknown): SmartContractABI {
  const entries = Array.isArray(json) ? json : (memberOf(json, 'abi') ?? memberOf(json, 'entrys'));
  if (!Array.isArray(entries)) {
    const inner = memberOf(json, 'abi');
    if (inner !== undefined && memberOf(inner, 'entrys') !== undefined) return readAbi(inner);
    throw bad('it is no list of entries, and holds none as abi or entrys');
  }
  if (entries.length > ENTRIES_MAX) throw bad(`it has more than ${ENTRIES_MAX} entries`);
  return Object.assign(new SmartContractABI(), { entrys: entries.map(readEntry) });
}

function readEntry(entry: unknown, at: number): SmartContractABIEntry {
  const type = TYPES[textOf(entry, 'type').toLowerCase()];
  if (type === undefined) throw bad(`entry ${at} has no type that there is`);
  return Object.assign(new SmartContractABIEntry(), {
    type,
    name: textOf(entry, 'name'),
    anonymous: memberOf(entry, 'anonymous') === true,
    inputs: listOf(entry, 'inputs').map(readParameter),
    outputs: listOf(entry, 'outputs').map(readParameter),
  });
}

function readParameter(parameter: unknown): SmartContractABIEntryParam {
  return Object.assign(new SmartContractABIEntryParam(), {
    name: textOf(parameter, 'name'),
    type: typeOf(parameter),
    indexed: memberOf(parameter, 'indexed') === true,
  });
}

/** As signatures spell it: tuples by their parts. */
function typeOf(parameter: unknown): string {
  const type = textOf(parameter, 'type');
  if (!type.startsWith('tuple')) return type;
  return `(${listOf(parameter, 'components').map(typeOf).join(',')})${type.slice('tuple'.length)}`;
}

function listOf(value: unknown, name: string): readonly unknown[] {
  const list = memberOf(value, name) ?? [];
  if (!Array.isArray(list)) throw bad(`${name} is no list`);
  return list;
}

function textOf(value: unknown, name: string): string {
  const text = memberOf(value, name) ?? '';
  if (typeof text !== 'string') throw bad(`${name} is no text`);
  return text;
}

function memberOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? (value as Record<string, unknown>)[name]
    : undefined;
}

function bad(reason: string): TronError {
  return new TronError('BAD_ABI', `no ABI: ${reason}`);
}
