import assert from 'node:assert/strict';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Chain } from '../../src/chain/chain.js';
import { parseFlags } from '../../src/config/flags.js';
import { loadConfig } from '../../src/config/load-config.js';
import { decodeBlock } from '../../src/state-transition/block/decoded-block.js';
import { flagsOf, readLines } from '../conformance/recording.js';
import { openRecorded } from '../conformance/replay-session.js';
import { serveOwn } from './answers/own-node.js';
import { NodeClient, type Question } from './answers/question.js';
import { ReferenceNode } from './answers/reference-node.js';
import { namedRecording } from './answers/request-both.js';
import { compiledReference, namedRelease } from './reference/compiled.js';
import type { Measurement } from './run.js';

/** Time in ms after a block until java-tron has filled its filters in another thread. */
const UNTIL_QUIET_MS = 500;

interface Push {
  readonly block?: string;
  readonly label: string;
}

/**
 * Compares the filters of this node with those of java-tron during reorgs. Each kind of filter exists twice: for the
 * newest blocks and for the solidified blocks.
 */
export const filtersAcrossSwitches: Measurement = {
  title: 'matches the filter notifications of java-tron during reorgs',
  gate: 1,
  night: 1,
  run: ({ folder }) => listenAlike(namedRecording('forks/forks7'), folder),
};

async function listenAlike(recording: string, folder: string): Promise<string> {
  const release = namedRelease();
  const chain = await openRecorded(recording, join(folder, 'data'), release);
  const flags = [...flagsOf(recording).filter((flag) => flag !== '--no-repush'), '--release', release];
  const { config } = loadConfig({ file: join(recording, 'config.conf'), flags: parseFlags(flags).flags });
  const own = await serveOwn(chain, config);
  const reference = await ReferenceNode.start(compiledReference(), join(folder, 'reference'), recording);
  const [theirs, ours] = [new NodeClient(reference.ports), new NodeClient(own.ports)];
  try {
    const [their, our] = [await Listener.start(theirs), await Listener.start(ours)];
    for await (const { block, label } of readLines<Push>(join(recording, 'pushes.ndjson.gz'))) {
      if (block === undefined) continue;
      const bytes = Buffer.from(block, 'hex');
      const [head, found] = [await reference.push(bytes), push(chain, bytes)];
      assert.equal(found, head, label);
      await chain.ledger.flush();
    }
    await sleep(UNTIL_QUIET_MS);
    const [expected, received] = [await their.received(), await our.received()];
    for (const [at, list] of expected.entries()) assert.deepEqual(received[at], list, `filter ${at}`);
    assert.ok(expected.every((list) => list.length > 0));
    return `${expected.map((list) => list.length).join(', ')} heard`;
  } finally {
    theirs.close();
    ours.close();
    reference.stop();
    await own.close();
    await chain.ledger.close();
  }
}

/** Pushes a block. @returns the new head, in the format of java-tron */
function push(chain: Chain, bytes: Buffer): string {
  try {
    chain.importBlock(decodeBlock(bytes));
  } catch {
    // The comparison of the heads shows if both nodes reject the block.
  }
  const { headNumber, headId } = chain.ledger.position;
  return `head ${headNumber} ${Buffer.from(headId).toString('hex')}`;
}

/** Polls two filters on each of two servers. */
class Listener {
  private readonly client: NodeClient;
  private readonly filters: { readonly server: Question['server']; readonly id: string }[] = [];

  private constructor(client: NodeClient) {
    this.client = client;
  }

  static async start(client: NodeClient): Promise<Listener> {
    const listener = new Listener(client);
    for (const server of ['fullnode', 'solidity'] as const)
      for (const [method, params] of [
        ['eth_newBlockFilter', []],
        ['eth_newFilter', [{}]],
      ] as const) {
        const text = await listener.request(server, method, params);
        listener.filters.push({ server, id: (JSON.parse(text) as { result: string }).result });
      }
    return listener;
  }

  received(): Promise<readonly unknown[][]> {
    return Promise.all(
      this.filters.map(async ({ server, id }) => {
        const { result } = JSON.parse(await this.request(server, 'eth_getFilterChanges', [id])) as {
          result: unknown[];
        };
        return result;
      }),
    );
  }

  private async request(server: Question['server'], method: string, params: readonly unknown[]): Promise<string> {
    const body = Buffer.from(JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }));
    const call = { method: 'POST', path: '/jsonrpc', contentType: 'application/json', body } as const;
    return (await this.client.request({ protocol: 'jsonrpc', server, ...call })).body;
  }
}
