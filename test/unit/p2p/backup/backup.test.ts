import { networkInterfaces } from 'node:os';
import t, { type Test } from 'tap';
import { BackupElection, type BackupRole } from '../../../../src/p2p/backup/backup-election.js';
import { Backup, decodeBackup, encodeBackup } from '../../../../src/p2p/backup/backup-socket.js';
import { freePort } from '../../../support/free-port.js';
import { silentLog } from '../../../support/p2p/silent-log.js';
import { until } from '../../../support/until.js';

const INTERVAL_MS = 3000;

/** A group of backup members. Each member receives each message immediately. The test controls the time. */
class Group {
  timeMs = 0;
  readonly duties: BackupElection[];
  private readonly dead = new Set<number>();
  private readonly hosts: readonly string[];

  constructor(priorities: readonly number[]) {
    this.hosts = priorities.map((_, at) => `10.0.0.${at + 1}`);
    this.duties = priorities.map(
      (priority, at) =>
        new BackupElection({
          priority,
          intervalMs: INTERVAL_MS,
          ownHost: this.hosts[at]!,
          changed: () => undefined,
          now: () => this.timeMs,
        }),
    );
  }

  get roles(): readonly BackupRole[] {
    return this.duties.map(({ role }) => role);
  }

  kill(at: number): void {
    this.dead.add(at);
  }

  /** Runs rounds. Returns the maximum number of masters at the end of a round, which should be one. */
  rounds(count: number): number {
    let most = 0;
    for (let round = 0; round < count; round++) {
      this.timeMs += INTERVAL_MS;
      for (const [at, duty] of this.duties.entries()) {
        const word = this.dead.has(at) ? undefined : duty.tick();
        if (word === undefined) continue;
        for (const [other, hearing] of this.duties.entries())
          if (other !== at && !this.dead.has(other)) hearing.take(word, this.hosts[at]!);
      }
      const masters = this.duties.filter(({ role }, at) => role === 'master' && !this.dead.has(at)).length;
      most = Math.max(most, masters);
    }
    return most;
  }
}

t.test('elects the highest priority, and fails over to its slave', async (t) => {
  const group = new Group([10, 5]);
  t.same(group.roles, ['init', 'init']);
  t.equal(group.rounds(8), 1);
  t.same(group.roles, ['master', 'slave']);
  t.equal(group.rounds(100), 1, 'the master does not change');
  group.kill(0);
  t.equal(group.rounds(6), 0, 'a slave waits for six intervals');
  t.equal(group.duties[1]!.role, 'slave');
  group.rounds(1);
  t.equal(group.duties[1]!.role, 'init');
  group.rounds(6);
  t.equal(group.duties[1]!.role, 'init', 'a returning member listens for six intervals');
  group.rounds(1);
  t.equal(group.duties[1]!.role, 'master');
});

t.test('keeps the master with the higher priority, else the one with the higher address', async (t) => {
  for (const [own, other, host, role] of [
    [5, 10, '10.0.0.1', 'slave'],
    [10, 5, '10.0.0.9', 'master'],
    [5, 5, '10.0.0.9', 'slave'],
    [5, 5, '10.0.0.1', 'master'],
  ] as const) {
    let now = 0;
    const [intervalMs, ownHost] = [INTERVAL_MS, '10.0.0.5'];
    const duty = new BackupElection({ priority: own, intervalMs, ownHost, changed: () => undefined, now: () => now });
    now += 6 * INTERVAL_MS + 1;
    t.same(duty.tick(), { isMaster: true, priority: own });
    duty.take({ isMaster: false, priority: 100 }, host);
    t.equal(duty.role, 'master', 'a datagram of a slave changes nothing');
    duty.take({ isMaster: true, priority: other }, host);
    t.equal(duty.role, role, `${own} against ${other} of ${host}`);
  }
});

t.test('encodes a datagram as one type byte and a message', async (t) => {
  t.same(encodeBackup({ isMaster: true, priority: 8 }), Buffer.from('0508011008', 'hex'));
  t.same(decodeBackup(encodeBackup({ isMaster: false, priority: 3 })), { isMaster: false, priority: 3 });
  for (const dropped of ['', '05', '060801', '05ffff', `05${'00'.repeat(2048)}`])
    t.equal(decodeBackup(Buffer.from(dropped, 'hex')), undefined);
});

interface Member {
  readonly port: number;
  readonly host: string;
  readonly members: readonly string[];
  readonly priority: number;
  readonly listenHost?: string;
}

async function start(t: Test, { host, listenHost = host, ...member }: Member): Promise<Backup> {
  const fixed = { ownHost: host, intervalMs: 50, log: silentLog, now: Date.now };
  const backup = await Backup.start({ ...member, ...fixed, listenHost });
  t.teardown(() => backup.close());
  return backup;
}

const [HIGH, LOW] = ['127.0.0.11', '127.0.0.12'];

t.test('elects a master between two members over UDP', async (t) => {
  const port = await freePort();
  const high = await start(t, { port, host: HIGH, members: [LOW], priority: 2 });
  const low = await start(t, { port, host: LOW, members: [HIGH], priority: 1 });
  await until('a master and its slave', () => high.role === 'master' && low.role === 'slave');
  await t.rejects(start(t, { port, host: HIGH, members: [LOW], priority: 3 }), { code: 'EADDRINUSE' });
});

const hasIpv6 = Object.values(networkInterfaces()).some((all) => all?.some(({ family }) => family === 'IPv6'));

t.test('sends to IPv4 members if one member has an IPv6 address', { skip: !hasIpv6 }, async (t) => {
  const port = await freePort();
  const members = ['0:0:0:0:0:0:0:1', LOW];
  const high = await start(t, { port, host: HIGH, listenHost: `::ffff:${HIGH}`, members, priority: 2 });
  const low = await start(t, { port, host: LOW, members: [HIGH], priority: 1 });
  await until('a master and its slave', () => high.role === 'master' && low.role === 'slave');
});
