import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pino from 'pino';
import type { ServerName } from '../../../src/api/servers.js';
import type { Chain } from '../../../src/chain/chain.js';
import { openChain } from '../../../src/node/open-chain.js';
import { decodeBlock } from '../../../src/state-transition/block/decoded-block.js';
import { readLines } from '../../conformance/recording.js';
import { type BlockLine, recordedConfig } from '../../conformance/replay-session.js';
import { comparable } from './comparable.js';
import { serveOwn } from './own-node.js';
import { NodeClient, type Ports, type Question, type Reply } from './question.js';
import { ReferenceNode } from './reference-node.js';

/** A request and its two responses, which differ. Undefined if the responses match. */
export type Difference = { readonly question: Question; readonly theirs: string; readonly ours: string } | undefined;

/** A JSON-RPC filter that exists on both nodes, with the id that each node has given to it. */
export interface SharedFilter {
  readonly server: ServerName;
  readonly theirs: string;
  readonly ours: string;
}

interface Parts {
  readonly chain: Chain;
  readonly voted: { number: number };
  readonly own: Awaited<ReturnType<typeof serveOwn>>;
  readonly reference: ReferenceNode;
}

/**
 * Time in ms that java-tron needs after a block to fill its filters and to execute pending transactions again, both
 * in other threads.
 */
const AFTER_BLOCK_MS = 100;

/** java-tron and this node on the same recorded chain. Both receive the same requests. */
export class TwoNodes {
  /** Open filters. In a request, `{{filter n}}` represents the id of the filter with index n. */
  readonly filters: SharedFilter[] = [];
  readonly ports: { readonly theirs: Ports; readonly ours: Ports };
  private readonly chain: Chain;
  private readonly voted: Parts['voted'];
  private readonly own: Parts['own'];
  private readonly reference: ReferenceNode;
  private readonly theirs: NodeClient;
  private readonly ours: NodeClient;
  /** Recorded blocks that are not pushed yet. */
  private readonly coming: BlockLine[];
  private readonly settling: readonly Question[];

  private constructor({ chain, voted, own, reference }: Parts, settling: readonly Question[], coming: BlockLine[]) {
    this.chain = chain;
    this.voted = voted;
    this.own = own;
    this.reference = reference;
    this.ports = { theirs: reference.ports, ours: own.ports };
    this.settling = settling;
    this.coming = coming;
    this.theirs = new NodeClient(reference.ports);
    this.ours = new NodeClient(own.ports);
  }

  /**
   * @param reference folder of a compiled java-tron
   * @param folder folder for the data of both nodes
   * @param options `comingMax`: number of blocks at the end of the chain that are not pushed yet; `more`: additional
   * configuration of both nodes
   */
  static async start(
    recording: string,
    reference: string,
    folder: string,
    { comingMax = 0, more = '' } = {},
  ): Promise<TwoNodes> {
    const file = join(folder, 'config.conf');
    writeFileSync(file, `${readFileSync(join(recording, 'config.conf'), 'utf8')}\n${more}\n`);
    const config = recordedConfig(recording, { file });
    const chain = await openChain({ config, dataDir: join(folder, 'data'), log: pino({ level: 'fatal' }) });
    const node = await ReferenceNode.start(reference, join(folder, 'reference'), recording, { more });
    const lines: BlockLine[] = [];
    for await (const line of readLines<BlockLine>(join(recording, 'blocks.ndjson.gz'))) {
      if (line.num !== 0 && line.block !== undefined) lines.push(line);
    }
    const coming = lines.splice(Math.max(lines.length - comingMax, 1));
    for (const line of lines) {
      await pushBoth(chain, node, line);
      chain.mempool.clear();
    }
    const voted = { number: 0 };
    const own = await serveOwn(chain, config, () => voted.number);
    const parts = { chain, voted, own, reference: node };
    const nodes = new TwoNodes(parts, await settlingQuestions(recording), coming);
    await nodes.settle();
    return nodes;
  }

  /**
   * Pushes the next block to both nodes.
   * @returns its number; undefined after the last block
   * @param options `isQuiet`: true to send no transactions after the block, so that java-tron writes nothing to its
   * disk
   */
  async pushNext({ isQuiet = false } = {}): Promise<number | undefined> {
    const line = this.coming.shift();
    if (line === undefined) return undefined;
    await pushBoth(this.chain, this.reference, line);
    this.chain.mempool.reinject();
    await sleep(AFTER_BLOCK_MS);
    if (!isQuiet) await this.settle();
    return line.num;
  }

  /** Sets the height that is confirmed by PBFT on both nodes. */
  async vote(height: number): Promise<void> {
    this.voted.number = Math.max(this.voted.number, height);
    await this.reference.vote(height);
  }

  private async settle(): Promise<void> {
    for (const question of this.settling) assert.equal(await this.request(question), undefined);
  }

  async request(question: Question): Promise<Difference> {
    const [theirs, ours] = await Promise.all([
      this.theirs.request(this.named(question, 'theirs')),
      this.ours.request(this.named(question, 'ours')),
    ]);
    this.noteFilter(question, theirs, ours);
    const [expected, found] = [comparable(question, theirs, true), comparable(question, ours, false)];
    return expected === found ? undefined : { question, theirs: expected, ours: found };
  }

  /** Returns the request with the filter ids of one of the nodes. */
  private named(question: Question, name: 'theirs' | 'ours'): Question {
    const { protocol, body } = question;
    if (protocol !== 'jsonrpc' || body === undefined || !body.includes('{{filter ')) return question;
    const text = body
      .toString()
      .replace(/{{filter (\d+)}}/g, (_whole, at: string) => this.filters[Number(at)]?.[name] ?? '');
    return { ...question, body: Buffer.from(text) };
  }

  private noteFilter({ protocol, server, body }: Question, theirs: Reply, ours: Reply): void {
    if (protocol !== 'jsonrpc' || !/"eth_new(?:Block)?Filter"/.test(body?.toString() ?? '')) return;
    const [their, our] = [theirs, ours].map((reply) => /"result":"0x([0-9a-f]{32})"/.exec(reply.body)?.[1]);
    if (their !== undefined && our !== undefined) this.filters.push({ server, theirs: their, ours: our });
  }

  async close(): Promise<void> {
    this.theirs.close();
    this.ours.close();
    this.reference.stop();
    await this.own.close();
    await this.chain.ledger.close();
  }
}

async function pushBoth(chain: Chain, node: ReferenceNode, { num, id, block }: BlockLine): Promise<void> {
  assert.ok(block !== undefined);
  const bytes = Buffer.from(block, 'hex');
  chain.importBlock(decodeBlock(bytes));
  // Flushes the log, as a node does after each import. JSON-RPC filters read only flushed blocks.
  await chain.ledger.flush();
  assert.equal(await node.push(bytes), `head ${num} ${id}`);
}

/**
 * Returns requests with transactions that java-tron rejects. After these requests, java-tron serves the state of its
 * newest solidified block. Without them, java-tron may serve an older state as the solidified state.
 */
async function settlingQuestions(recording: string): Promise<Question[]> {
  const found: Question[] = [];
  const file = join(recording, 'http.ndjson.gz');
  for await (const { phase, path, body } of readLines<{ phase: string; path: string; body: string }>(file)) {
    if (phase !== 'settle') continue;
    const sent = { path, body: Buffer.from(body), contentType: 'application/json' };
    found.push({ protocol: 'http', server: 'fullnode', method: 'POST', ...sent });
  }
  return found;
}
