import { join } from 'node:path';
import { serverNames } from '../../../src/api/servers.js';
import { TransactionRet } from '../../../src/codec/generated/messages.js';
import { toHex } from '../../../src/primitives/bytes.js';
import { readLines } from '../../conformance/recording.js';
import type { BlockLine } from '../../conformance/replay-session.js';
import type { Random } from '../../fuzz/random.js';
import type { Question } from './question.js';
import type { SharedFilter } from './two-nodes.js';

/** Addresses and topics in the event logs of a chain, in hex. */
export interface LogParts {
  readonly addresses: readonly string[];
  readonly topics: readonly string[];
}

export async function readLogParts(recording: string): Promise<LogParts> {
  const [addresses, topics] = [new Set<string>(), new Set<string>()];
  for await (const { infos } of readLines<BlockLine>(join(recording, 'blocks.ndjson.gz'))) {
    if (infos === undefined) continue;
    for (const { log } of TransactionRet.decode(Buffer.from(infos, 'hex')).transactioninfo) {
      for (const entry of log) {
        addresses.add(toHex(entry.address));
        for (const topic of entry.topics) topics.add(toHex(topic));
      }
    }
  }
  return { addresses: [...addresses], topics: [...topics] };
}

const TAGS = ['latest', 'earliest', 'pending', 'finalized', 'safe', '0x0', '0x', 'x'];
/** Share of queries that are invalid or unusual. */
const ODD = 0.3;
/** Number of values for one topic. It exceeds the limit of 1,000. */
const MANY = 1001;

/** Creates requests about filters. The requests create filters that match new blocks, poll them, and delete them. */
export class FilterQuestionMaker {
  private readonly parts: LogParts;

  constructor(parts: LogParts) {
    this.parts = parts;
  }

  /** Creates a request about a filter. @param head number of the newest block */
  make(random: Random, filters: readonly SharedFilter[], head: number): Question {
    const share = random.next();
    const at = random.below(filters.length);
    const known = filters[at];
    if (known === undefined || share < 0.25) {
      const name = share < 0.2 ? 'eth_newFilter' : random.pick(['eth_newBlockFilter', 'eth_getLogs']);
      const params = name === 'eth_newBlockFilter' ? [] : [this.query(random, head)];
      return question(random.pick(serverNames), name, params);
    }
    const server = random.chance(0.9) ? known.server : random.pick(serverNames);
    const id = random.chance(0.92) ? `0x{{filter ${at}}}` : oddId(at, random);
    const name = share < 0.75 ? 'eth_getFilterChanges' : share < 0.92 ? 'eth_getFilterLogs' : 'eth_uninstallFilter';
    return question(server, name, [id]);
  }

  private query(random: Random, head: number): Record<string, unknown> {
    const query: Record<string, unknown> = {};
    const height = (): string =>
      random.chance(0.5) ? random.pick(TAGS) : `0x${Math.max(head + random.below(20) - 10, 0).toString(16)}`;
    if (random.chance(0.4)) query['fromBlock'] = height();
    if (random.chance(0.3)) query['toBlock'] = height();
    if (random.chance(0.5)) query['address'] = this.oneOrMore(random, this.parts.addresses);
    if (random.chance(0.5)) {
      query['topics'] = Array.from({ length: random.below(4) + 1 }, () =>
        random.chance(0.5) ? null : this.oneOrMore(random, this.parts.topics),
      );
    }
    for (let more = random.chance(ODD); more; more = random.chance(0.3)) this.mutate(query, random, head);
    return query;
  }

  /** Writes one field of the query in another form, or adds a field that contradicts the others. */
  private mutate(query: Record<string, unknown>, random: Random, head: number): void {
    const { addresses, topics } = this.parts;
    const name = random.pick(['fromBlock', 'toBlock', 'address', 'address', 'topics', 'topics', 'topics', 'blockHash']);
    const word = random.pick([...topics, '00'.repeat(32)]);
    const address = random.pick([...addresses, '00'.repeat(20)]);
    if (name === 'address')
      query[name] = random.pick([...ODD_VALUES, ...oddTexts(address), ...oddLists(address, random)]);
    else if (name === 'topics') query[name] = this.oddTopics(word, random);
    else if (name === 'blockHash') query[name] = random.pick([...ODD_VALUES, ...oddTexts(word)]);
    else query[name] = random.pick([...ODD_VALUES, ...oddHeights(head)]);
  }

  private oddTopics(word: string, random: Random): unknown {
    const odd = (): unknown => random.pick([...ODD_VALUES, ...oddTexts(word), ...oddLists(word, random)]);
    if (random.chance(0.2)) return odd();
    return Array.from({ length: random.below(6) }, () => (random.chance(0.5) ? null : odd()));
  }

  private oneOrMore(random: Random, pool: readonly string[]): unknown {
    const one = (): string => `0x${pool.length === 0 ? '00'.repeat(20) : random.pick(pool)}`;
    return random.chance(0.6) ? one() : Array.from({ length: random.below(4) }, one);
  }
}

const ODD_VALUES: readonly unknown[] = [null, '', '0x', [], {}, 0, 1, -1, 1.5, true, 'null', [[]], [null], [[null]]];

function oddTexts(hex: string): string[] {
  const upper = hex.toUpperCase();
  const cut = [
    hex,
    upper,
    hex.slice(2),
    hex.slice(1),
    `41${hex}`,
    `${hex}00`,
    `${hex}0`,
    `${hex.slice(1)}g`,
    hex.slice(24),
  ];
  return cut.flatMap((text) => [text, `0x${text}`]).concat(`0X${hex}`, ` 0x${hex}`, `0x${hex} `);
}

function oddLists(hex: string, random: Random): unknown[] {
  const one = `0x${hex}`;
  const many = Array.from({ length: MANY - random.below(2) }, () => one);
  return [[one, null], [null, one], [one, [one]], [[one]], [one, ''], [one, 1], many, [one, hex], [...oddTexts(hex)]];
}

function oddHeights(head: number): string[] {
  const hex = head.toString(16);
  const heights = [
    `0x${hex}`,
    hex,
    `${head}`,
    `0x0${hex}`,
    `0X${hex}`,
    '0x-1',
    '-1',
    '0x7fffffffffffffff',
    '0x8000000000000000',
  ];
  return [
    ...heights,
    `0x${'f'.repeat(40)}`,
    '0x1388',
    '0x2000',
    'LATEST',
    'Earliest',
    ' latest',
    '0xg',
    '0x0',
    '+1',
    '0x+1',
  ];
}

function oddId(at: number, random: Random): unknown {
  const id = `{{filter ${at}}}`;
  return random.pick([id, `0X${id}`, `0x${id}0`, '0x0', '', '0x', null, 1, `0x0${id}`]);
}

function question(server: Question['server'], method: string, params: readonly unknown[]): Question {
  const body = Buffer.from(JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }));
  return { protocol: 'jsonrpc', server, method: 'POST', path: '/jsonrpc', contentType: 'application/json', body };
}
