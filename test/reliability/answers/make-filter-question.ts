import { join } from 'node:path';
import { serverNames } from '../../../src/api/servers.js';
import { TransactionRet } from '../../../src/codec/generated/messages.js';
import { toHex } from '../../../src/domain/bytes.js';
import { readLines } from '../../conformance/recording.js';
import type { BlockLine } from '../../conformance/replay-session.js';
import type { Random } from '../../fuzz/random.js';
import type { Question } from './question.js';
import type { SharedFilter } from './two-nodes.js';

/** Addresses and topics of a chain's logs, in hex. */
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

/** Makes questions about filters: new ones that match what comes, what came for them, their end. */
export class FilterQuestionMaker {
  private readonly parts: LogParts;

  constructor(parts: LogParts) {
    this.parts = parts;
  }

  /** @param head number of the newest block */
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
    return query;
  }

  private oneOrMore(random: Random, pool: readonly string[]): unknown {
    const one = (): string => `0x${pool.length === 0 ? '00'.repeat(20) : random.pick(pool)}`;
    return random.chance(0.6) ? one() : Array.from({ length: random.below(4) }, one);
  }
}

function oddId(at: number, random: Random): unknown {
  const id = `{{filter ${at}}}`;
  return random.pick([id, `0X${id}`, `0x${id}0`, '0x0', '', '0x', null, 1, `0x0${id}`]);
}

function question(server: Question['server'], method: string, params: readonly unknown[]): Question {
  const body = Buffer.from(JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }));
  return { protocol: 'jsonrpc', server, method: 'POST', path: '/jsonrpc', contentType: 'application/json', body };
}
