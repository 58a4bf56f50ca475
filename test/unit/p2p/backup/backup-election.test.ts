import t from 'tap';
import { BackupElection, type BackupRole } from '../../../../src/p2p/backup/backup-election.js';

const INTERVAL = 3000;

function member(priority: number, ownHost = '10.0.0.5') {
  let time = 0;
  const roles: BackupRole[] = [];
  const duty = new BackupElection({
    priority,
    intervalMs: INTERVAL,
    ownHost,
    changed: (role) => roles.push(role),
    now: () => time,
  });
  const pass = (ms: number) => {
    time += ms;
    return duty.tick();
  };
  return { duty, roles, pass };
}

// Reference: BackupManager.handleEvent, and the timer of BackupManager.
t.test('becomes master after six silent intervals', async (t) => {
  const { duty, pass } = member(8);
  t.same(pass(6 * INTERVAL), { isMaster: false, priority: 8 });
  t.same(pass(1), { isMaster: true, priority: 8 });
  t.equal(duty.role, 'master');
});

t.test('yields to a master, and to a higher priority, at start', async (t) => {
  const rows: readonly (readonly [isMaster: boolean, priority: number, role: BackupRole])[] = [
    [true, 1, 'slave'],
    [false, 9, 'slave'],
    [false, 8, 'init'],
  ];
  for (const [isMaster, priority, role] of rows) {
    const { duty } = member(8);
    duty.take({ isMaster, priority }, '10.0.0.1');
    t.equal(duty.role, role);
  }
});

t.test('keeps the master with the higher priority, then the higher address', async (t) => {
  const rows: readonly (readonly [priority: number, host: string, role: BackupRole])[] = [
    [9, '10.0.0.1', 'slave'],
    [7, '10.0.0.9', 'master'],
    [8, '10.0.0.9', 'slave'],
    [8, '10.0.0.1', 'master'],
  ];
  for (const [priority, host, role] of rows) {
    const { duty, pass } = member(8);
    pass(6 * INTERVAL + 1);
    duty.take({ isMaster: true, priority }, host);
    t.equal(duty.role, role, `${priority} ${host}`);
  }
});

t.test('sends nothing as a slave, and starts the election again when the master is silent', async (t) => {
  const { duty, roles, pass } = member(8);
  duty.take({ isMaster: true, priority: 9 }, '10.0.0.9');
  t.equal(pass(INTERVAL), undefined);
  t.same(pass(6 * INTERVAL), { isMaster: false, priority: 8 });
  t.same(pass(6 * INTERVAL + 1), { isMaster: true, priority: 8 });
  t.same(roles, ['init', 'slave', 'init', 'master']);
});
