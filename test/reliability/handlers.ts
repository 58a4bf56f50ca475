import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { peerRelease } from '../../src/p2p/releases/releases.js';
import { NETWORK, PeerNode } from '../support/peers/peer-node.js';
import type { Measurement } from './run.js';
import { Endings } from './support/endings.js';
import { largestMessages } from './support/largest-messages.js';
import { TurnWatch } from './support/turn-watch.js';

const RELEASES = ['4.7.2', '4.8.2'] as const;
/** Maximum CPU time in ms of a turn of the event loop that processes a message. */
const TURN_MAX_MS = 100;
/** Number of blocks of the chain. It is so large that the answer to a sync request has the maximum number of ids. */
const BLOCKS = 2100;
const child = fileURLToPath(new URL('./support/hostile-peer-child.ts', import.meta.url));

export const handlers: Measurement = {
  title: 'handles the largest message of each type from synced and lagging peers, by 4.7.2 and 4.8.2',
  gate: 1,
  night: 20,
  async run({ count }) {
    const lines: string[] = [];
    let worst = 0;
    for (const release of RELEASES) {
      for (const [name, { ms, answer }] of await longestTurns(release, count)) {
        lines.push(`  ${release} ${name}: ${ms.toFixed(1)} ms, ${answer}`);
        worst = Math.max(worst, ms);
      }
    }
    const figures = `longest turn ${worst.toFixed(1)} ms of processor time\n${lines.join('\n')}\n `;
    assert.ok(worst < TURN_MAX_MS, figures);
    return figures;
  },
};

async function longestTurns(release: string, count: number): Promise<Map<string, { ms: number; answer: string }>> {
  const endings = new Endings();
  const found = new Map<string, { ms: number; answer: string }>();
  const node = await PeerNode.start(endings, { more: `tronicle.release = "${release}"` });
  await node.produce(BLOCKS);
  const { messageBytesMax } = peerRelease(release).transport;
  const args = ['--import', 'tsx', child, String(node.port), String(NETWORK), String(messageBytesMax - 100)];
  const peer = spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'inherit'] });
  const watch = new TurnWatch();
  endings.teardown(() => watch.close());
  endings.teardown(() => peer.kill());
  const answers = createInterface({ input: peer.stdout })[Symbol.asyncIterator]();
  try {
    // Round 0 is not measured, because the JIT compiler has not compiled the handlers yet.
    for (let round = 0; round <= count; round++) {
      for (const name of Object.keys(largestMessages)) {
        watch.take();
        peer.stdin.write(`${name}\n`);
        const { value: answer = 'the peer failed' } = await answers.next();
        const ms = watch.take();
        if (round > 0) found.set(name, { ms: Math.max(ms, found.get(name)?.ms ?? 0), answer });
      }
    }
    peer.stdin.end();
    await once(peer, 'close');
  } finally {
    await endings.run();
  }
  return found;
}
