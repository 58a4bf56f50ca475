import assert from 'node:assert/strict';
import { join } from 'node:path';
import type { Chain } from '../../../src/node/chain/chain.js';
import { parseFlags } from '../../../src/node/config/flags.js';
import { loadConfig } from '../../../src/node/config/load-config.js';
import { decodeBlock } from '../../../src/vm/block/decoded-block.js';
import { flagsOf, readLines } from '../../conformance/recording.js';
import { type BlockLine, openRecorded } from '../../conformance/replay-session.js';
import { comparable } from './comparable.js';
import { serveOwn } from './own-node.js';
import { Asker, type Question } from './question.js';
import { ReferenceNode } from './reference-node.js';

/** What two answers differ in; undefined where they are alike. */
export type Difference = { readonly question: Question; readonly theirs: string; readonly ours: string } | undefined;

/** The reference and a node of ours on one recorded chain, which are asked the same. */
export class TwoNodes {
  private readonly chain: Chain;
  private readonly own: Awaited<ReturnType<typeof serveOwn>>;
  private readonly reference: ReferenceNode;
  private readonly theirs: Asker;
  private readonly ours: Asker;

  private constructor(chain: Chain, own: TwoNodes['own'], reference: ReferenceNode) {
    this.chain = chain;
    this.own = own;
    this.reference = reference;
    this.theirs = new Asker(reference.ports);
    this.ours = new Asker(own.ports);
  }

  /** @param reference folder of a compiled java-tron @param folder for the data of both */
  static async start(recording: string, reference: string, folder: string): Promise<TwoNodes> {
    const flags = flagsOf(recording).filter((flag) => flag !== '--no-repush');
    const { config } = loadConfig({ file: join(recording, 'config.conf'), flags: parseFlags(flags).flags });
    const chain = await openRecorded(recording, join(folder, 'data'));
    const node = await ReferenceNode.start(reference, join(folder, 'reference'), recording);
    for await (const { num, id, block } of readLines<BlockLine>(join(recording, 'blocks.ndjson.gz'))) {
      if (num === 0 || block === undefined) continue;
      const bytes = Buffer.from(block, 'hex');
      chain.push(decodeBlock(bytes));
      chain.pool.clear();
      assert.equal(await node.push(bytes), `head ${num} ${id}`);
    }
    const nodes = new TwoNodes(chain, await serveOwn(chain, config), node);
    await nodes.settle(recording);
    return nodes;
  }

  /** A refused transaction, after which the reference's solidified state is that of its newest solidified block. */
  private async settle(recording: string): Promise<void> {
    const file = join(recording, 'http.ndjson.gz');
    for await (const { phase, path, body } of readLines<{ phase: string; path: string; body: string }>(file)) {
      if (phase !== 'settle') continue;
      const sent = { path, body: Buffer.from(body), contentType: 'application/json' };
      const difference = await this.ask({ protocol: 'http', server: 'fullnode', method: 'POST', ...sent });
      assert.equal(difference, undefined);
    }
  }

  async ask(question: Question): Promise<Difference> {
    const [theirs, ours] = await Promise.all([this.theirs.ask(question), this.ours.ask(question)]);
    const [expected, found] = [comparable(question, theirs, true), comparable(question, ours, false)];
    return expected === found ? undefined : { question, theirs: expected, ours: found };
  }

  async close(): Promise<void> {
    this.theirs.close();
    this.ours.close();
    this.reference.stop();
    await this.own.close();
    await this.chain.ledger.close();
  }
}
