import { once } from 'node:events';
import type { Duplex } from 'node:stream';
import { GraphQLError } from 'graphql';
import type { Logger } from 'pino';
import { BlockHeaderRaw } from '../../codec/generated/messages.js';
import { decodeBase58Check, encodeBase58Check } from '../../crypto/base58-check.js';
import { present } from '../../primitives/assert.js';
import { toHex } from '../../primitives/bytes.js';
import { TronError } from '../../primitives/errors.js';
import type { ReadBlock } from '../context/read-block.js';
import { EventStream } from '../graphql/events/event-stream.js';
import type { LogTail } from '../graphql/events/log-tail.js';
import { type FoundLog, logMatcher, logsOfBlock } from '../graphql/find-logs.js';
import type { GraphqlSource } from '../graphql/graphql-source.js';
import type { ActiveWitness, ErrorLine, FollowLine, FollowRequest, HeaderLine } from './follow-lines.js';
import type { WitnessList } from './witness-list.js';

/** Maximum size of a request, in bytes. It is enough for two cursors and a list of addresses. */
const REQUEST_BYTES_MAX = 16_384;
/** Time in ms within which the request must arrive. Otherwise the node closes the connection. */
const REQUEST_MS = 10_000;
/** Time in ms within which a follower (light client) must read sent data. Otherwise the node closes the connection. */
const STALL_MS = 30_000;
const LAST_MAX = 100;
const CONTRACTS_MAX = 100;

/** Error for an invalid request. */
class FollowError extends TronError<'BAD_REQUEST'> {
  constructor(message: string) {
    super('BAD_REQUEST', message);
  }
}

interface FollowerOptions {
  readonly link: Duplex;
  readonly source: GraphqlSource;
  readonly tail: LogTail;
  readonly witnesses: WitnessList;
  readonly log: Logger;
}

/**
 * Connection of one follower (light client). Reads a request, then sends headers and events in the order of the block
 * log, as fast as the client reads.
 */
export class Follower {
  private readonly options: FollowerOptions;
  private readonly ended = new AbortController();
  private readonly streams: EventStream<unknown>[] = [];
  private sentWitnesses: readonly ActiveWitness[] | undefined;

  constructor(options: FollowerOptions) {
    this.options = options;
  }

  start(): void {
    const { link, log } = this.options;
    link.on('error', () => undefined);
    link.once('close', () => {
      this.ended.abort();
      for (const stream of this.streams) void stream.return();
    });
    this.follow().catch((error: unknown) => {
      if (!link.destroyed)
        link.end(lineOf(errorLine(error, (hidden) => log.error({ err: hidden }, 'light client connection failed'))));
    });
  }

  private async follow(): Promise<void> {
    const { source, tail } = this.options;
    const { last, contracts, after } = parseRequest(await this.question());
    const headers = new EventStream<ReadBlock>({
      source,
      tail,
      finality: 'APPLIED',
      after: after?.header,
      select: (block) => [block],
    });
    const matches = logMatcher({ addresses: contracts });
    const { addressPrefix } = source.api.settings;
    const events = new EventStream<FoundLog>({
      source,
      tail,
      finality: 'SOLIDIFIED',
      after: after?.event,
      select: (block) => logsOfBlock(block, addressPrefix).filter(matches),
    });
    this.streams.push(headers, events);
    // Reads the past headers in the turn of the event loop in which the streams start, so that no header is missed or
    // sent twice.
    const past = after?.header === undefined ? this.past(last) : [];
    await this.sendWitnesses();
    for (const line of past) await this.sendLine(line);
    await Promise.all([this.sendHeaders(headers), this.sendEvents(events)]);
  }

  private async question(): Promise<string> {
    const { link } = this.options;
    const timer = setTimeout(() => link.destroy(), REQUEST_MS);
    const parts: Buffer[] = [];
    let bytes = 0;
    try {
      for (;;) {
        const [part] = (await once(link, 'data', { signal: this.ended.signal })) as [Buffer];
        parts.push(part);
        bytes += part.length;
        if (part.includes('\n')) return Buffer.concat(parts).toString('utf8');
        if (bytes > REQUEST_BYTES_MAX) throw new FollowError(`request exceeds ${REQUEST_BYTES_MAX} bytes`);
      }
    } finally {
      clearTimeout(timer);
      // Closes the connection if the follower sends data after its request.
      link.once('data', () => link.destroy());
    }
  }

  /** Returns the newest headers, oldest first. */
  private past(count: number): readonly HeaderLine[] {
    const { ledger, blocks } = this.options.source;
    const { headNumber } = ledger.position;
    const lines: HeaderLine[] = [];
    for (let number = Math.max(1, headNumber - count + 1); number <= headNumber; number++) {
      const block = blocks.byNumber(number);
      if (block !== undefined) lines.push(headerLine(block, 'APPLIED'));
    }
    return lines;
  }

  private async sendWitnesses(): Promise<void> {
    const { source, witnesses } = this.options;
    const current = witnesses.current();
    if (current === this.sentWitnesses) return;
    this.sentWitnesses = current;
    const genesis = toHex(source.ledger.blockIdAt(0) ?? new Uint8Array(0));
    await this.sendLine({ type: 'witnesses', genesis, witnesses: current });
  }

  private async sendHeaders(headers: EventStream<ReadBlock>): Promise<void> {
    for await (const { item, kind, cursor } of headers) {
      await this.sendWitnesses();
      await this.sendLine({ ...headerLine(item, kind === 'REVERTED' ? kind : 'APPLIED'), cursor });
    }
  }

  private async sendEvents(events: EventStream<FoundLog>): Promise<void> {
    for await (const { item, cursor } of events) {
      const { number } = present(item.transaction.position, 'a found log has a block');
      await this.sendLine({
        type: 'event',
        cursor,
        block: toHex(
          present(this.options.source.ledger.blockIdAt(number), 'the block of a solidified log is canonical'),
        ),
        transaction: toHex(item.transaction.id),
        index: item.index,
        contract: encodeBase58Check(item.address),
        topics: item.topics.map(toHex),
        data: toHex(item.data),
      });
    }
  }

  /** Sends a line. Resolves when the next line may be sent. */
  private async sendLine(line: FollowLine): Promise<void> {
    const { link } = this.options;
    if (link.destroyed || link.write(lineOf(line))) return;
    const timer = setTimeout(() => link.destroy(), STALL_MS);
    try {
      await once(link, 'drain', { signal: this.ended.signal });
    } finally {
      clearTimeout(timer);
    }
  }
}

interface ParsedRequest extends Omit<FollowRequest, 'last' | 'contracts'> {
  readonly last: number;
  readonly contracts: readonly Uint8Array[];
}

/** Parses a request. @throws {FollowError} the request is malformed */
function parseRequest(text: string): ParsedRequest {
  const request = parseJson(text);
  const { last = 0, contracts = [], after = {} } = request as FollowRequest;
  if (!Number.isInteger(last) || last < 0 || last > LAST_MAX)
    throw new FollowError(`"last" must be an integer from 0 to ${LAST_MAX}`);
  if (!Array.isArray(contracts) || contracts.length > CONTRACTS_MAX)
    throw new FollowError(`contracts must be a list of at most ${CONTRACTS_MAX} addresses`);
  const addresses = contracts.map((contract: unknown) => {
    const address = typeof contract === 'string' ? decodeBase58Check(contract) : undefined;
    if (address === undefined) throw new FollowError(`invalid address: ${contract}`);
    return address;
  });
  for (const cursor of [after.header, after.event])
    if (cursor !== undefined && typeof cursor !== 'string') throw new FollowError('cursor must be a string');
  return { last, contracts: addresses, after };
}

function parseJson(text: string): object {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null) return value;
  } catch {
    // Invalid JSON causes the error below.
  }
  throw new FollowError('request must be one line with a JSON object');
}

function errorLine(error: unknown, report: (error: unknown) => void): ErrorLine {
  if (error instanceof TronError) return { type: 'error', code: error.code, message: error.message };
  const code = error instanceof GraphQLError ? error.extensions['code'] : undefined;
  if (code !== undefined) return { type: 'error', code: String(code), message: (error as GraphQLError).message };
  report(error);
  return { type: 'error', code: 'INTERNAL', message: 'internal error' };
}

function headerLine({ header, signature }: ReadBlock, kind: HeaderLine['kind']): HeaderLine {
  return { type: 'header', kind, raw: toHex(BlockHeaderRaw.encode(header)), signature: toHex(signature) };
}

function lineOf(line: FollowLine): string {
  return `${JSON.stringify(line)}\n`;
}
