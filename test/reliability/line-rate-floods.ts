import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { encodeKeepAlive } from '../../src/p2p/transport/framework-message.js';
import { WireMessageType } from '../../src/p2p/wire/message-types.js';
import { decodeItems, encodeItems, encodeMessage } from '../../src/p2p/wire/messages.js';
import type { DecodedBlock } from '../../src/state-transition/block/decoded-block.js';
import { NETWORK, PeerNode } from '../support/peers/peer-node.js';
import type { Measurement } from './run.js';
import { Endings } from './support/endings.js';
import { FloodedNode } from './support/flooded-node.js';
import { HostilePeer } from './support/hostile-peer.js';

const RELEASES = ['4.7.2', '4.8.2'] as const;
const child = fileURLToPath(new URL('./support/flooding-peer-child.ts', import.meta.url));
/** Number of blocks before the measurement, for warm-up. */
const FIRST_BLOCKS = 30;
const QUIET_BLOCKS = 20;
/** Interval between two blocks of the honest peer, in ms. */
const BLOCK_EACH_MS = 200;
/** Delay in ms up to which a block is never late, even if the baseline is shorter. */
const STALL_MS = 100;
/** Time in ms after which a block is considered lost. */
const LOST_MS = 10_000;
/**
 * Maximum share of a thread that the node may use during a flood on one connection. The quota of a connection is a
 * quarter of a thread. The remaining share is for other peers and garbage collection, and for new connections of the
 * flood, which start with a new quota.
 */
const CPU_SHARE_MAX = 0.6;
const GROWTH_MAX = 64 * 1024 * 1024;
const MB = 1024 * 1024;

export const lineRateFloods: Measurement = {
  title: 'survives one peer that floods each type of message, by 4.7.2 and 4.8.2',
  gate: 60,
  night: 600,
  async run({ count }) {
    const { stdout } = await runChild([]);
    const names = JSON.parse(stdout) as string[]; // Reads the names of the floods, which the child process prints.
    const lines: string[] = [];
    const missed: string[] = [];
    for (const release of RELEASES)
      for (const { line, isMissed } of await flooded(release, names, count)) {
        lines.push(`  ${line}`);
        if (isMissed) missed.push(line);
      }
    assert.ok(missed.length === 0, `${missed.length} floods, first: ${missed[0]}\n${lines.join('\n')}\n`);
    return `\n${lines.join('\n')}\n `;
  },
};

function runChild(args: readonly string[]): Promise<{ stdout: string }> {
  return promisify(execFile)(process.execPath, ['--import', 'tsx', child, ...args]);
}

interface Outcome {
  readonly line: string;
  readonly isMissed: boolean;
}

async function flooded(release: string, names: readonly string[], seconds: number): Promise<Outcome[]> {
  const endings = new Endings();
  const outcomes: Outcome[] = [];
  try {
    const node = await FloodedNode.start(endings, release);
    const honest = await Honest.join(node, endings);
    await honest.blocks(FIRST_BLOCKS);
    for (const name of names) {
      const quiet = await honest.blocks(QUIET_BLOCKS);
      const before = await node.state();
      const started = performance.now();
      let isOver = false;
      const args = [String(node.port), String(NETWORK), name, String(seconds), String(names.indexOf(name))];
      const flood = runChild(args).finally(() => {
        isOver = true;
      });
      const during = await honest.blocks(Number.POSITIVE_INFINITY, () => isOver);
      const { messages, connections } = JSON.parse((await flood).stdout) as { messages: number; connections: number }; // Cast: the child prints this type.
      const after = await node.state();
      const [usual, worst] = [Math.max(...quiet), Math.max(...during)];
      const growth = after.bytes - before.bytes;
      const cpuShare = (after.cpuMs - before.cpuMs) / (performance.now() - started);
      const isBusy = connections === 1 && cpuShare > CPU_SHARE_MAX;
      const isLate = worst > Math.max(2 * usual, STALL_MS);
      const isMissed = isLate || isBusy || growth > GROWTH_MAX || after.failures.length > 0;
      const line =
        `${release} ${name}: ${Math.round(messages / seconds)} a second on ${connections} connections, a block took ` +
        `${middle(during).toFixed(1)} ms, at most ${worst.toFixed(1)} (${middle(quiet).toFixed(1)} and ${usual.toFixed(1)} before), ` +
        `${during.length} blocks, ${Math.round(100 * cpuShare)} % of a thread, memory ${(growth / MB).toFixed(1)} MB more, ${node.memoryPeak()}, ${after.failures.length} failures`;
      outcomes.push({ line, isMissed });
    }
  } finally {
    await endings.run();
  }
  return outcomes;
}

const middle = (times: readonly number[]): number => [...times].sort((a, b) => a - b)[times.length >> 1] ?? 0;

/** Two honest peers. One sends blocks, and the other receives them from the node. */
class Honest {
  private readonly maker: PeerNode;
  private readonly sender: HostilePeer;
  private readonly listener: HostilePeer;

  private constructor(maker: PeerNode, sender: HostilePeer, listener: HostilePeer) {
    this.maker = maker;
    this.sender = sender;
    this.listener = listener;
  }

  static async join(node: FloodedNode, endings: Endings): Promise<Honest> {
    const at = (from: string): Promise<HostilePeer> => HostilePeer.dial({ port: node.port, networkId: NETWORK, from });
    const [sender, listener] = [await at('127.200.0.1'), await at('127.200.0.2')];
    endings.teardown(() => sender.close());
    endings.teardown(() => listener.close());
    return new Honest(await PeerNode.open(endings), sender, listener);
  }

  /**
   * Sends blocks from one honest peer.
   * @returns for each block, the time in ms until the node announces it to the other honest peer. If the producer is
   * an active witness, the node announces the block before it executes it
   */
  async blocks(count: number, isOver: () => boolean = () => false): Promise<number[]> {
    const times: number[] = [];
    while (times.length < count && !isOver()) {
      const [block] = await this.maker.produce(1);
      times.push(await this.block(block!));
      await sleep(BLOCK_EACH_MS);
    }
    return times;
  }

  private async block(block: DecodedBlock): Promise<number> {
    const started = performance.now();
    const lost = setTimeout(() => {
      this.sender.close();
      this.listener.close();
    }, LOST_MS);
    // Pings the node, because it disconnects a peer that sends nothing for a minute.
    this.listener.say(encodeKeepAlive('ping', 1));
    this.sender.say(encodeItems('INVENTORY', { kind: 'block', ids: [block.idHex] }));
    await this.receives(this.sender, WireMessageType.FETCH_INV_DATA, block.idHex);
    this.sender.say(encodeMessage('BLOCK', block.bytes));
    await this.receives(this.listener, WireMessageType.INVENTORY, block.idHex);
    clearTimeout(lost);
    return performance.now() - started;
  }

  /** Waits for a message that contains the id of the block. */
  private async receives(peer: HostilePeer, type: number, idHex: string): Promise<void> {
    for (;;) {
      const body = await peer.next(type);
      if (body === undefined)
        throw new Error(
          `the node disconnected an honest peer, or ${WireMessageType.INVENTORY === type ? 'did not announce' : 'did not request'} block ${idHex}`,
        );
      if (decodeItems(body).ids.includes(idHex)) return;
    }
  }
}
