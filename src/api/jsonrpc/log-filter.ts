import type { TransactionInfoLog } from '../../log/codec/generated/messages.js';
import { equalBytes } from '../../log/domain/bytes.js';
import type { ChainView } from '../api-context.js';
import { JavaError } from '../java/java-error.js';
import { bytesOfHex } from '../java/java-hex.js';
import { type LogContent, logResult } from './block-results.js';
import { type Json, JsonNumber } from './json-text.js';
import type { FilterRequest } from './parameters.js';
import { readHexLong } from './quantities.js';
import { invalidParams } from './rpc-error.js';

const TOPICS_MAX = 4;
const WORD_BYTES = 32;
const ADDRESS_BYTES = 20;

/** Which logs are asked for: any of the addresses, and at each place any of the topics; empty means all. */
export interface LogFilter {
  readonly addresses: readonly Uint8Array[];
  readonly topics: readonly (readonly Uint8Array[])[];
}

/** A filter with its blocks; without end when `to` is undefined. */
export interface LogQuery {
  readonly filter: LogFilter;
  readonly from: number;
  readonly to: number | undefined;
}

/** Height of a tag beyond the reference's, given in lower case; undefined for none. */
export type FindTag = (tag: string) => number | undefined;

/** Reference: LogFilterWrapper. @throws {RpcError | JavaError} */
export function readLogQuery(request: FilterRequest, view: ChainView, findTag: FindTag = () => undefined): LogQuery {
  return { filter: readLogFilter(request), ...readRange(request, view, findTag) };
}

/** Addresses and topics alone. @throws {RpcError | JavaError} */
export function readLogFilter({ address, topics }: Pick<FilterRequest, 'address' | 'topics'>): LogFilter {
  return { addresses: readAddresses(address), topics: readTopics(topics) };
}

function readRange(
  { blockHash, fromBlock, toBlock }: FilterRequest,
  view: ChainView,
  findTag: FindTag,
): Omit<LogQuery, 'filter'> {
  const head = view.headNumber;
  if (blockHash !== null) {
    if (fromBlock !== null || toBlock !== null) {
      throw invalidParams('cannot specify both BlockHash and FromBlock/ToBlock, choose one or the other');
    }
    const id = bytesOfHex(blockHash);
    const number = id.length === WORD_BYTES ? view.numberOf(id) : undefined;
    if (number === undefined) throw invalidParams('invalid blockHash');
    return { from: number, to: number };
  }
  const from = readTag(fromBlock, findTag);
  const to = readTag(toBlock, findTag);
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

/** A height; undefined for the newest. @throws {RpcError | JavaError} */
function readTag(tag: string | null, findTag: FindTag): number | undefined {
  const name = tag?.toLowerCase() ?? '';
  if (name === 'pending') throw invalidParams('TAG pending not supported');
  if (name === '' || name === 'latest') return undefined;
  if (name === 'earliest') return 0;
  const tagged = findTag(name);
  if (tagged !== undefined) return tagged;
  const number = readHexLong(tag!);
  return number === -1n ? undefined : Number(number);
}

function readAddresses(value: Json): readonly Uint8Array[] {
  if (value === null) return [];
  if (typeof value === 'string') return [sized(value, ADDRESS_BYTES, `invalid address: ${value}`)];
  if (!Array.isArray(value)) throw invalidParams('invalid addresses in query');
  return value.map((item: Json, at) => sized(item, ADDRESS_BYTES, `invalid address at index ${at}: ${shown(item)}`));
}

function readTopics(values: readonly Json[] | null): readonly (readonly Uint8Array[])[] {
  if (values === null) return [];
  if (values.length > TOPICS_MAX) throw invalidParams('topics size should be <= 4');
  return values.map((value) => {
    if (value === null) return [];
    if (typeof value === 'string') return [topic(value)];
    if (!Array.isArray(value)) throw invalidParams('invalid topic(s)');
    return value.map(topic);
  });
}

function topic(value: Json): Uint8Array {
  return sized(value, WORD_BYTES, `invalid topic(s): ${shown(value)}`);
}

/** @throws {RpcError} another length. @throws {JavaError} no hex, no text */
function sized(value: Json, bytes: number, refusal: string): Uint8Array {
  if (value !== null && typeof value !== 'string') throw notText(value);
  const read = bytesOfHex(value);
  if (read.length !== bytes) throw invalidParams(refusal);
  return read;
}

/** What casting to a text says in Java 8. */
function notText(value: Json): JavaError {
  const kind =
    value instanceof JsonNumber
      ? value.isInteger
        ? 'java.lang.Integer'
        : 'java.lang.Double'
      : typeof value === 'boolean'
        ? 'java.lang.Boolean'
        : Array.isArray(value)
          ? 'java.util.ArrayList'
          : 'java.util.LinkedHashMap';
  return new JavaError('java.lang.ClassCastException', `${kind} cannot be cast to java.lang.String`);
}

function shown(value: Json): string {
  return String(value);
}

/** Reference: LogFilter.matchesExactly. */
export function matchesLog(
  { addresses, topics }: LogFilter,
  log: Pick<TransactionInfoLog, 'address' | 'topics'>,
): boolean {
  if (addresses.length > 0 && !addresses.some((address) => equalBytes(address, log.address.subarray(-ADDRESS_BYTES)))) {
    return false;
  }
  return topics.every((wanted, at) => {
    const found = log.topics[at];
    return found !== undefined && (wanted.length === 0 || wanted.some((item) => equalBytes(item, found)));
  });
}

/** The logs of a block that a filter asks for. Reference: LogMatch.matchBlock. */
export function matchBlock(filter: LogFilter, content: LogContent, removed: boolean): object[] {
  const found: object[] = [];
  let logIndex = 0;
  for (const [index, { log: logs }] of content.infos.entries()) {
    for (const [at, log] of logs.entries()) {
      if (matchesLog(filter, log)) found.push(logResult(content, index, at, logIndex, removed));
      logIndex++;
    }
  }
  return found;
}
