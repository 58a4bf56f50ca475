import { bytesOfHex, hexDigits } from '../../../java-compat/hex.js';
import { JavaError } from '../../../java-compat/java-error.js';
import { BARE_ADDRESS_BYTES } from '../../../primitives/address.js';
import { WORD_BYTES } from '../../../primitives/units.js';
import { javaError } from '../../../state-transition/java-errors.js';
import type { ChainView } from '../../context/api-context.js';
import type { ApiRelease } from '../../releases/api-release.js';
import type { RpcLimits } from '../../releases/rpc-limits.js';
import { type Json, JsonNumber } from '../json-text.js';
import type { FilterRequest } from '../parameters.js';
import { readBlockNumber, readHash, readHexLong } from '../quantities.js';
import { blockNotStored, invalidParams } from '../rpc-error.js';
import type { LogFilter, LogQuery } from './log-filter.js';

const TOPICS_MAX = 4;
const TOPIC = /^(0x)?[0-9a-fA-F]{63,64}$/;
/** Maximum length of an address in a filter, in characters. Reference: DecodeUtil.ADDRESS_SIZE */
const ADDRESS_CHARS_MAX = 42;

/** Returns the height of a finality tag such as `finalized` (in lower case); undefined for any other tag. */
type FindTag = (tag: string) => number | undefined;

/** Rules for parsing filters. */
export interface FilterForm {
  readonly release: ApiRelease;
  readonly rpcLimits: RpcLimits;
}

/**
 * Reads a filter with its block range. Reference: LogFilterWrapper.
 * @throws {RpcError | JavaError} the filter is malformed
 */
export function readLogQuery(
  request: FilterRequest,
  view: ChainView,
  form: FilterForm & { readonly findTag?: FindTag },
): LogQuery {
  return { filter: readLogFilter(request, form), ...readRange(request, view, form) };
}

/**
 * Reads the addresses and topics of a filter. Reference: LogFilter.
 * @throws {RpcError | JavaError} the filter is malformed
 */
export function readLogFilter(
  { address, topics }: Pick<FilterRequest, 'address' | 'topics'>,
  form: FilterForm,
): LogFilter {
  return { addresses: readAddresses(address, form), topics: readTopics(topics, form) };
}

/**
 * Checks the size of the block range. Reference: LogFilterWrapper.validateBlockRange
 * @throws {RpcError} the range is too large
 */
export function checkBlockRange({ from, to }: LogQuery, view: ChainView, { maxBlockRange }: RpcLimits): void {
  const last = Math.min(to ?? view.headNumber, view.headNumber);
  if (maxBlockRange > 0 && last - from > maxBlockRange) throw invalidParams(`exceed max block range: ${maxBlockRange}`);
}

/**
 * Checks that the lowest block of the range is stored; all later blocks are then stored too. Without this check, a
 * client takes missing blocks for blocks without logs.
 * @throws {RpcError} the block is pruned, or was not imported
 */
export function requireStored({ from }: LogQuery, view: ChainView): void {
  // Genesis is always stored, and has no logs.
  const lowest = Math.max(from, 1);
  if (lowest <= view.headNumber && view.block(lowest) === undefined) throw blockNotStored(lowest);
}

function readRange(
  { blockHash, fromBlock, toBlock }: FilterRequest,
  view: ChainView,
  { release, findTag = () => undefined }: FilterForm & { readonly findTag?: FindTag },
): Omit<LogQuery, 'filter'> {
  const head = view.headNumber;
  if (blockHash !== null) {
    if (fromBlock !== null || toBlock !== null) {
      throw invalidParams('cannot specify both BlockHash and FromBlock/ToBlock, choose one or the other');
    }
    // `hexDigits` removes a `0x` prefix, and `bytesOfHex` removes a second one. As in java-tron, such a hash is valid.
    const id = release.checksRpcArguments ? readHash(blockHash, release) : bytesOfHex(hexDigits(blockHash));
    const number = view.numberOf(id);
    if (number === undefined) throw invalidParams('invalid blockHash');
    return { from: number, to: number };
  }
  const from = readTag(fromBlock, release, findTag);
  const to = readTag(toBlock, release, findTag);
  if (isEmpty(fromBlock)) {
    if (isEmpty(toBlock)) return { from: head, to: undefined };
    return { from: to === undefined ? head : Math.min(to, head), to };
  }
  if (to !== undefined && (from ?? head) > to) throw invalidParams('please verify: fromBlock <= toBlock');
  return { from: from ?? head, to };
}

function isEmpty(tag: string | null): boolean {
  return tag === null || tag === '';
}

/**
 * Returns the height that a tag or a hex number means; undefined for the newest block.
 * @throws {RpcError | JavaError} the tag is malformed or not supported
 */
function readTag(tag: string | null, release: ApiRelease, findTag: FindTag): number | undefined {
  const name = tag?.toLowerCase() ?? '';
  if (name === 'pending') throw invalidParams('TAG pending not supported');
  if (tag === null || name === '' || name === 'latest') return undefined;
  if (name === 'earliest') return 0;
  const tagged = findTag(name);
  if (tagged !== undefined) return tagged;
  if (release.knowsFinalityTags && name === 'safe') throw invalidParams('TAG safe not supported');
  if (release.checksRpcArguments) {
    if (!tag.startsWith('0x')) throw invalidParams('Incorrect hex syntax');
    return Number(readBlockNumber(tag, release));
  }
  const number = readHexLong(tag);
  return number === -1n ? undefined : Number(number);
}

function readAddresses(value: Json, { release, rpcLimits }: FilterForm): readonly Uint8Array[] {
  if (value === null) return [];
  const read = release.checksRpcArguments ? strictAddress : address;
  if (typeof value === 'string') return [read(value, `invalid address: ${value}`)];
  if (!Array.isArray(value)) throw invalidParams('invalid addresses in query');
  const { maxAddressSize: most } = rpcLimits;
  if (most > 0 && value.length > most) throw invalidParams(`exceed max addresses: ${most}`);
  return value.map((item: Json, at) => read(item, `invalid address at index ${at}: ${shown(item)}`));
}

function readTopics(values: readonly Json[] | null, form: FilterForm): readonly (readonly Uint8Array[])[] {
  if (values === null) return [];
  if (values.length > TOPICS_MAX) throw invalidParams('topics size should be <= 4');
  const read = form.release.checksRpcArguments ? strictTopic : topic;
  const { maxSubTopics: most } = form.rpcLimits;
  return values.map((value) => {
    if (value === null) return [];
    if (typeof value === 'string') return [read(value)];
    if (!Array.isArray(value)) throw invalidParams('invalid topic(s)');
    if (most > 0 && value.length > most) throw invalidParams(`exceed max topics: ${most}`);
    return value.map(read);
  });
}

function address(value: Json, refusal: string): Uint8Array {
  return sized(value, BARE_ADDRESS_BYTES, refusal);
}

/**
 * Decodes an address that must be a string. Rejects all other JSON types, and texts longer than
 * {@link ADDRESS_CHARS_MAX}. Reference: JsonRpcApiUtil.addressToByteArray.
 * @throws {RpcError} with the text `refusal`: the address is malformed
 */
function strictAddress(value: Json, refusal: string): Uint8Array {
  if (typeof value !== 'string' || value.length > ADDRESS_CHARS_MAX) throw invalidParams(refusal);
  return orRefused(() => sized(value, BARE_ADDRESS_BYTES, refusal), refusal);
}

function topic(value: Json): Uint8Array {
  return sized(value, WORD_BYTES, `invalid topic(s): ${shown(value)}`);
}

/**
 * Decodes a topic that must be a string of 32 bytes in hex. Reference: JsonRpcApiUtil.topicToByteArray.
 * @throws {RpcError} the topic is malformed
 */
function strictTopic(value: Json): Uint8Array {
  const refusal = `invalid topic(s): ${shown(value)}`;
  if (typeof value !== 'string' || !TOPIC.test(value)) throw invalidParams(refusal);
  return orRefused(() => bytesOfHex(value), refusal);
}

/** Returns the result of `read`, which reads hex. @throws {RpcError} with the text `refusal`: the hex is malformed */
function orRefused(read: () => Uint8Array, refusal: string): Uint8Array {
  try {
    return read();
  } catch (error) {
    throw javaError(error) === undefined ? error : invalidParams(refusal);
  }
}

/**
 * Reads hex that must have a fixed length, in bytes.
 * @throws {RpcError} the value has a different length
 * @throws {JavaError} the value is not a hex string
 */
function sized(value: Json, bytes: number, refusal: string): Uint8Array {
  if (value !== null && typeof value !== 'string') throw notText(value);
  const read = bytesOfHex(value);
  if (read.length !== bytes) throw invalidParams(refusal);
  return read;
}

/** Returns the ClassCastException that Java 8 throws for a cast of the value to String. */
function notText(value: Json): JavaError {
  const kind =
    value instanceof JsonNumber
      ? value.isInteger
        ? wholeClass(BigInt(value.text))
        : 'java.lang.Double'
      : typeof value === 'boolean'
        ? 'java.lang.Boolean'
        : Array.isArray(value)
          ? 'java.util.ArrayList'
          : 'java.util.LinkedHashMap';
  return new JavaError('java.lang.ClassCastException', `${kind} cannot be cast to java.lang.String`);
}

/** Returns the name of the Java class that Jackson uses for an integer. It is the smallest class that fits. */
function wholeClass(value: bigint): string {
  if (BigInt.asIntN(32, value) === value) return 'java.lang.Integer';
  return BigInt.asIntN(64, value) === value ? 'java.lang.Long' : 'java.math.BigInteger';
}

/** Prints a value as Java's `toString` does. */
function shown(value: Json): string {
  if (Array.isArray(value)) return `[${value.map(shown).join(', ')}]`;
  if (!(value instanceof Map)) return String(value);
  return `{${[...(value as ReadonlyMap<string, Json>)].map(([name, member]) => `${name}=${shown(member)}`).join(', ')}}`;
}
