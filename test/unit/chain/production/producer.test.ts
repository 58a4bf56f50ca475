import { setTimeout as sleep } from 'node:timers/promises';
import pino from 'pino';
import t from 'tap';
import type { Chain } from '../../../../src/chain/chain.js';
import { Producer } from '../../../../src/chain/production/producer.js';
import { SignedBlocks } from '../../../../src/chain/production/signed-blocks.js';
import { temporaryFolder } from '../../../support/temporary-folder.js';

const SLOT_MS = 20;
const GENESIS_MS = 1_700_000_001_000 - (1_700_000_001_000 % SLOT_MS);

/** Returns a chain with only the state that a producer reads, and a counter in which tests count clock readings. */
function emptyChain() {
  const seen = { ticks: 0 };
  const properties = {
    get: () => 0n,
    number: () => GENESIS_MS,
  };
  const state = { properties, rules: { genesisTimeMs: GENESIS_MS, slotMs: SLOT_MS } };
  return { chain: { state } as unknown as Chain, seen };
}

t.test('continues production after the clock was one hour behind for a moment', async (t) => {
  const { chain, seen } = emptyChain();
  const started = performance.now();
  let wrongBy = -3_600_000;
  const now = (): number => {
    seen.ticks++;
    return Math.floor(GENESIS_MS + 10 * SLOT_MS + performance.now() - started + wrongBy);
  };
  const producer = new Producer({
    chain,
    keys: { get: () => undefined } as never,
    clock: {
      now,
      monotonicMs: () => performance.now(),
      untilMs: (timeMs) => Math.max(0, timeMs - now()),
    },
    log: pino({ level: 'silent' }),
    isSorted: false,
    timeoutPercent: 50,
    minParticipationRate: 0,
    isMaster: () => false,
    signedBlocks: SignedBlocks.open(temporaryFolder(t)),
  });
  t.teardown(() => producer.stop());
  producer.start();
  await sleep(50);
  wrongBy = 0;
  seen.ticks = 0;
  await sleep(300);
  t.ok(seen.ticks > 10, `${seen.ticks} readings of the clock in 15 slots`);
});
