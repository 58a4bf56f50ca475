import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, rmSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { makeScaleSource, scaleChain } from '../bench/scale/scale-source.js';
import { type Outcome, outcomeOf, startTronicle } from '../support/tronicle.js';
import type { Measurement } from './run.js';

const ACCOUNTS = 200_000;
/** Every third kill occurs at a random time. The other kills occur while the rows of the state are loaded. */
const ANYWHERE_EACH = 3;
/** Maximum delay of a kill after the start of a load, as a share of the duration of the load without kills. */
const LOAD_SHARE = 0.5;
const POLL_MS = 2;

/**
 * Kills a bootstrap repeatedly. The result must be the state of a bootstrap without kills, and the folder must be
 * complete. At least half of the kills must interrupt a load of the state.
 */
export const bootstrapKills: Measurement = {
  title: 'resumes a bootstrap after repeated kills',
  gate: 10,
  night: 100,
  async run({ count, folder, random }) {
    const stores = await makeScaleSource(folder, ACCOUNTS);
    const archive = join(folder, 'java.tgz');
    execFileSync('tar', ['-czf', archive, '-C', dirname(stores), basename(stores)]);
    let [rounds, hits] = [0, 0];
    for (const [source, kills] of [
      [stores, Math.ceil(count / 2)],
      [archive, Math.floor(count / 2)],
    ] as const) {
      const whole = new Bootstrap(source, join(folder, 'whole'));
      const expected = await whole.outcome;
      assert.equal(expected.code, 0, expected.stderr);
      rmSync(whole.dataDir, { recursive: true });
      const killed = await killAgainAndAgain({
        source,
        kills,
        whole,
        random,
        expected,
        dataDir: join(folder, 'killed'),
      });
      rounds += killed.rounds;
      hits += killed.hits;
    }
    assert.ok(2 * hits >= count, `${hits} of ${count} kills interrupted a load of the state`);
    return (
      `${count} kills, ${hits} of them during a load of the state, over ${rounds} bootstraps of ${ACCOUNTS} accounts, ` +
      `folder and archive: the same digest and sums each time`
    );
  },
};

interface Killing {
  readonly source: string;
  readonly kills: number;
  /** A completed bootstrap without kills. The times of the kills are chosen from its durations. */
  readonly whole: Bootstrap;
  readonly expected: Outcome;
  readonly random: () => number;
  readonly dataDir: string;
}

interface Killed {
  /** Number of completed bootstraps. */
  readonly rounds: number;
  /** Number of kills that interrupted a load of the state. */
  readonly hits: number;
}

/** Kills bootstraps and resumes them until the number of kills is reached. */
async function killAgainAndAgain({ source, kills, whole, random, expected, dataDir }: Killing): Promise<Killed> {
  let [rounds, hits] = [0, 0];
  for (let killed = 0; killed < kills; ) {
    // Each run resumes the previous run, so the kills are spread over all steps. After a completed bootstrap, the next
    // run starts from the beginning.
    const running = new Bootstrap(source, dataDir);
    if (killed % ANYWHERE_EACH === 0) await running.ended(300 + random() * whole.ms * 0.6);
    else {
      await running.loading;
      await running.ended(random() * whole.loadMs * LOAD_SHARE);
    }
    const outcome = await running.kill();
    if (outcome.signal === 'SIGKILL') {
      killed++;
      if (running.isLoading()) hits++;
      assert.ok(
        existsSync(join(dataDir, 'bootstrap')) || !existsSync(join(dataDir, 'log')),
        'an incomplete folder would start',
      );
      continue;
    }
    rounds++;
    assert.equal(outcome.stdout, expected.stdout, outcome.stderr);
    rmSync(dataDir, { recursive: true });
  }
  const last = await new Bootstrap(source, dataDir).outcome;
  assert.equal(last.stdout, expected.stdout, last.stderr);
  const verified = await outcomeOf(startTronicle(['verify', '-d', dataDir]));
  assert.equal(verified.code, 0, verified.stderr);
  rmSync(dataDir, { recursive: true });
  return { rounds: rounds + 1, hits };
}

/** A process that runs a bootstrap. */
class Bootstrap {
  readonly dataDir: string;
  readonly outcome: Promise<Outcome>;
  /** Resolves when this process has written the first rows of the state, or has ended. */
  readonly loading: Promise<void>;
  /** Duration of all steps, in ms. */
  ms = 0;
  /** Time in which the state was loaded, in ms. */
  loadMs = 0;
  private readonly child: ReturnType<typeof startTronicle>;
  private readonly writtenBefore: number;
  private hasEnded = false;

  constructor(source: string, dataDir: string) {
    this.dataDir = dataDir;
    this.writtenBefore = this.writtenAt();
    const started = performance.now();
    let loadingSince = started;
    this.child = startTronicle(['bootstrap', source, '-c', join(scaleChain, 'config.conf'), '-d', dataDir]);
    this.outcome = outcomeOf(this.child).finally(() => {
      this.hasEnded = true;
      this.ms = performance.now() - started;
      this.loadMs = performance.now() - loadingSince;
    });
    this.loading = (async () => {
      while (!this.hasEnded && !this.isLoading()) await sleep(POLL_MS);
      loadingSince = performance.now();
    })();
  }

  /** Waits for the given time in ms, or until the process ends. */
  async ended(ms: number): Promise<void> {
    await Promise.race([sleep(ms), this.outcome]);
  }

  kill(): Promise<Outcome> {
    this.child.kill('SIGKILL');
    return this.outcome;
  }

  /** Returns true if this process has written rows of the state and the state is not complete. */
  isLoading(): boolean {
    return this.writtenAt() > this.writtenBefore && !existsSync(join(this.dataDir, 'bootstrap', 'state.whole'));
  }

  /** Returns the time of the last write to the incomplete state, in ms since 1970; 0 if no such state exists. */
  private writtenAt(): number {
    return statSync(join(this.dataDir, 'bootstrap', 'state', 'data.mdb'), { throwIfNoEntry: false })?.mtimeMs ?? 0;
  }
}
