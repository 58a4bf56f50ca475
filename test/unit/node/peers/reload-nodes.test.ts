import { utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { NO_FLAGS } from '../../../../src/config/flags.js';
import { loadConfig } from '../../../../src/config/load-config.js';
import { reloadNodes } from '../../../../src/node/peers/reload-nodes.js';
import { silentLog } from '../../../support/p2p/silent-log.js';
import { temporaryFolder } from '../../../support/temporary-folder.js';
import { until } from '../../../support/until.js';

const HOUR_S = 3600;

/** A configuration file that a node watches, and the lists that the node has read from it. */
class Watched {
  readonly applied: string[] = [];
  readonly errors: unknown[] = [];
  private readonly file: string;
  private seconds: number;

  private constructor(file: string, seconds: number) {
    this.file = file;
    this.seconds = seconds;
  }

  /** @param release value of the command line option for the release */
  static async start(t: Test, release = '4.7.2'): Promise<Watched> {
    const made = new Watched(join(temporaryFolder(t), 'node.conf'), Date.now() / 1000 - 10 * HOUR_S);
    made.write('');
    const flags = { ...NO_FLAGS, keys: new Map([['tronicle.release', release]]) };
    const { config } = loadConfig({ file: made.file, flags });
    const log = { ...silentLog, info: () => undefined, error: (fields: unknown) => made.errors.push(fields) };
    const stop = await reloadNodes({
      config,
      changed: async ({ active, passive }) => {
        made.applied.push(`dials ${active().map(({ host }) => host)}`);
        made.applied.push(`trusts ${passive().map(({ host }) => host)}`);
      },
      log: log as unknown as typeof silentLog,
      firstMs: 10,
    });
    t.teardown(stop);
    return made;
  }

  /** Writes the file and sets its modification time one hour later. */
  write(lines: string): void {
    const main = join(process.cwd(), 'config/main.conf');
    writeFileSync(
      this.file,
      `include "${main}"\ntronicle.release = "4.7.2"\nnode.dynamicConfig.checkInterval = 1\n${lines}\n`,
    );
    this.seconds += HOUR_S;
    utimesSync(this.file, this.seconds, this.seconds);
  }
}

const LISTS = 'node.active = ["10.0.0.1:18888"]\nnode.passive = ["10.0.0.2:18888"]';
const APPLIED = ['dials 10.0.0.1', 'trusts 10.0.0.2'];

t.test('reloads a changed file and ignores a malformed one', async (t) => {
  const watched = await Watched.start(t);
  watched.write('node.active = ["10.0.0.1"');
  await until('the malformed file is reported', () => watched.errors.length > 0);
  t.same(watched.applied, []);
  watched.write(LISTS);
  await until('the new nodes', () => watched.applied.length === 2);
  t.same(watched.applied, APPLIED);
});

t.test('detects a file that is newer than before, even if older than this process', async (t) => {
  const watched = await Watched.start(t);
  watched.write(LISTS);
  await until('the new nodes', () => watched.applied.length === 2);
  t.same(watched.applied, APPLIED);
});

t.test('reads nodes to dial from a file with a malformed trusted list', async (t) => {
  for (const [release, passive, isApplied] of [
    ['4.7.2', '["10.0.0.2"]', true],
    ['4.7.2', '"10.0.0.2:1"', true],
    ['4.8.2', '["10.0.0.2"]', true],
    ['4.8.2', '"10.0.0.2:1"', false],
  ] as const) {
    const watched = await Watched.start(t, release);
    watched.write(`node.active = ["10.0.0.1:18888"]\nnode.passive = ${passive}`);
    await until('the malformed list is reported', () => watched.errors.length > 0);
    t.same(watched.applied.slice(0, 1), isApplied ? APPLIED.slice(0, 1) : [], `${release}: ${passive}`);
    t.notOk(watched.applied.some((text) => text.startsWith('trusts')));
  }
});

// Reference: DynamicArgs.reload. 4.8.2 reads the complete NodeConfig.
t.test('since 4.8.2, rejects other errors in the node section', async (t) => {
  for (const [release, isApplied] of [
    ['4.7.2', true],
    ['4.8.2', false],
  ] as const) {
    const watched = await Watched.start(t, release);
    watched.write(`${LISTS}\nvm.supportConstant = [1]\nnode.maxConnections = many`);
    await until('the node has read the file', () => watched.applied.length + watched.errors.length > 0);
    t.same(watched.applied.slice(0, 2), isApplied ? APPLIED : [], release);
  }
});
