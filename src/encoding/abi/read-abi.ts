import { SmartContractABIEntryEntryType as EntryType } from '../../codec/generated/messages.js';
import { TronError } from '../../primitives/errors.js';
import { findMisspelling } from '../../primitives/nearest-word.js';
import { selectorOf } from './abi-functions.js';
import { type AbiInput, NESTING_MAX, parseAbiType, typeText } from './abi-type.js';
import type { AbiEntries, AbiEntry } from './decode-event.js';

/** Maximum number of entries in an ABI. Large ABIs have some hundreds. */
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
 * Maximum number of indexed parameters of an event that is not anonymous. A log has at most four topics, and the first
 * one is the signature.
 */
const INDEXED_MAX = 3;

/** Members that this reader uses. Compilers add others, which have no effect here. */
const ENTRY_MEMBERS = ['type', 'name', 'inputs', 'outputs', 'anonymous'];
const PARAMETER_MEMBERS = ['type', 'name', 'indexed', 'components'];
/** Maximum number of edits between a misspelt member and the member that it means. */
const MISSPELT_EDITS_MAX = 2;

/**
 * Reads an ABI in any form that compilers and wallets write. The ABI is a list of entries, or an object that has the
 * list in `abi` (compiler artifacts) or `entrys` (TRON's form). In the result, struct types are written as lists of
 * member types. Every type in the result can be decoded. No two entries match the same logs or calls.
 * @throws {TronError} BAD_ABI: an entry is invalid. The message contains the entry
 */
export function readAbi(json: unknown): AbiEntries {
  const entries = Array.isArray(json) ? json : (memberOf(json, 'abi') ?? memberOf(json, 'entrys'));
  if (!Array.isArray(entries)) {
    const inner = memberOf(json, 'abi');
    if (inner !== undefined && memberOf(inner, 'entrys') !== undefined) return readAbi(inner);
    throw bad('the JSON is neither a list of entries nor an object with such a list in the member abi or entrys');
  }
  if (entries.length > ENTRIES_MAX) throw bad(`the ABI has more than ${ENTRIES_MAX} entries`);
  return { entrys: withoutRepeated(entries.map(readEntry)) };
}

function readEntry(entry: unknown, at: number): AbiEntry {
  let label = `entry ${at}`;
  try {
    if (typeof entry !== 'object' || entry === null) throw bad('it is not an object');
    refuseMisspelt(entry, ENTRY_MEMBERS);
    const name = textOf(entry, 'name');
    const kind = textOf(entry, 'type') || 'function';
    label = [label, `(${[kind, name].filter(Boolean).join(' ')})`].join(' ');
    const type = Object.hasOwn(TYPES, kind.toLowerCase()) ? TYPES[kind.toLowerCase()] : undefined;
    if (type === undefined) throw bad(`its type is not one of ${Object.keys(TYPES).join(', ')}`);
    if (NAMED.has(type) && name === '') throw bad('it has no name');
    if (name !== '' && !IDENTIFIER.test(name)) throw bad('its name is not an identifier');
    const inputs = parametersOf(entry, 'inputs');
    // Outputs are not used, but must be valid.
    parametersOf(entry, 'outputs');
    const anonymous = flagOf(entry, 'anonymous');
    const indexed = inputs.filter((input) => input.indexed).length;
    const indexedMax = anonymous ? INDEXED_MAX + 1 : INDEXED_MAX;
    if (indexed > indexedMax)
      throw bad(`${indexed} inputs are indexed, but a log has topics for at most ${indexedMax}`);
    return { type, name, anonymous, inputs };
  } catch (error) {
    if (error instanceof TronError) throw new TronError('BAD_ABI', `${label}: ${error.message}`, { cause: error });
    throw error;
  }
}

/** Names that compilers accept. An entry with another name, such as one with spaces, would match no log and no call. */
const IDENTIFIER = /^[A-Za-z_$][\w$]*$/;

const NAMED: ReadonlySet<number> = new Set([EntryType.Function, EntryType.Event, EntryType.Error]);

function parametersOf(entry: unknown, list: string): AbiInput[] {
  return listOf(entry, list).map((parameter, at) => {
    try {
      const { name, type, components } = readParameter(parameter, 0);
      const read = { name, type, indexed: flagOf(parameter, 'indexed'), ...(components && { components }) };
      return { ...read, type: typeText(parseAbiType(read)) };
    } catch (error) {
      if (error instanceof TronError) throw bad(`${list} ${at}: ${error.message}`);
      throw error;
    }
  });
}

/** Reads a parameter. Writes a struct type, or an array of structs, as the list of its member types. */
function readParameter(parameter: unknown, nesting: number): Omit<AbiInput, 'indexed'> {
  if (nesting > NESTING_MAX) throw bad(`components are nested more than ${NESTING_MAX} times`);
  refuseMisspelt(parameter, PARAMETER_MEMBERS);
  const [name, type] = [textOf(parameter, 'name'), textOf(parameter, 'type')];
  const [, suffix] = /^tuple((?:\[\d*\])*)$/.exec(type) ?? [];
  if (suffix === undefined) return { name, type };
  const components = listOf(parameter, 'components').map((member) => readParameter(member, nesting + 1));
  if (components.length === 0) throw bad(`type ${JSON.stringify(type)} has no components`);
  return { name, type: `(${components.map((member) => member.type).join(',')})${suffix}`, components };
}

/**
 * Removes entries that are exact copies of an earlier entry.
 * @throws {TronError} BAD_ABI: two different entries match the same logs or calls, so only one of them could be used
 */
function withoutRepeated(entries: readonly AbiEntry[]): AbiEntry[] {
  const known = new Map<string, { readonly at: number; readonly text: string }>();
  return entries.filter((entry, at) => {
    const claim = claimOf(entry);
    if (claim === undefined) return true;
    const text = JSON.stringify(entry);
    const rival = known.get(claim);
    if (rival === undefined) known.set(claim, { at, text });
    else if (rival.text !== text) {
      const [kind, claimed] = entry.type === EntryType.Event ? ['event', 'logs'] : ['function', 'calls'];
      const reason = `its ${claimed} cannot be distinguished from those of entry ${rival.at}; remove one of the two entries`;
      throw bad(`entry ${at} (${kind} ${entry.name}): ${reason}`);
    }
    return rival === undefined;
  });
}

/**
 * Returns a key for the logs or calls that an entry matches. Entries with equal keys match the same logs or calls.
 * Undefined for entries that are neither a function nor an event.
 */
function claimOf({ type, name, anonymous, inputs }: AbiEntry): string | undefined {
  if (type === EntryType.Function) return selectorOf({ name, inputs });
  if (type !== EntryType.Event) return undefined;
  const types = inputs.map((input) => (input.indexed ? `${input.type} indexed` : input.type)).join();
  return anonymous ? `(${types})` : `${name}(${types})`;
}

/**
 * Checks that no member name is a misspelling of a known name, because the value of such a member would be ignored.
 * @throws {TronError} BAD_ABI: a member name is misspelt
 */
function refuseMisspelt(value: unknown, known: readonly string[]): void {
  if (typeof value !== 'object' || value === null) return;
  const wrong = findMisspelling(Object.keys(value), known, MISSPELT_EDITS_MAX);
  if (wrong !== undefined)
    throw bad(`it has the unknown member ${JSON.stringify(wrong.name)}; did you mean ${wrong.intended}?`);
}

function listOf(value: unknown, name: string): readonly unknown[] {
  const list = memberOf(value, name) ?? [];
  if (!Array.isArray(list)) throw bad(`${name} is not a list`);
  return list;
}

function textOf(value: unknown, name: string): string {
  const text = memberOf(value, name) ?? '';
  if (typeof text !== 'string') throw bad(`${name} is not a string`);
  return text;
}

function flagOf(value: unknown, name: string): boolean {
  const flag = memberOf(value, name) ?? false;
  if (typeof flag !== 'boolean') throw bad(`${name} is neither true nor false`);
  return flag;
}

function memberOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? (value as Record<string, unknown>)[name]
    : undefined;
}

function bad(reason: string): TronError {
  return new TronError('BAD_ABI', reason);
}
