import { spawnSync } from 'node:child_process';
import { copyFileSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { parseFlags } from '../../../src/config/flags.js';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { deploy } from './support/image.js';

const unit = join(deploy, 'tronicle.service');

/** Returns the settings of the unit file by `Section.Name`. Each name occurs once. */
function settings(): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  let section = '';
  for (const line of readFileSync(unit, 'utf8').split('\n')) {
    if (line === '' || line.startsWith('#')) continue;
    const header = /^\[(\w+)\]$/.exec(line);
    const [, name, value] = /^(\w+)=(.*)$/.exec(line) ?? [];
    if (header !== null) section = header[1]!;
    else if (name === undefined || found.has(`${section}.${name}`)) throw new Error(`line of the unit: ${line}`);
    else found.set(`${section}.${name}`, value!);
  }
  return found;
}

t.test('starts the node by its systemd unit, and restarts it after a failure', async (t) => {
  const unit = settings();
  const [env, command, run, ...args] = unit.get('Service.ExecStart')!.split(' ');
  t.same([env, command, run], ['/usr/bin/env', 'tronicle', 'run']);
  const { flags } = parseFlags(args);
  t.match(flags, { configFile: '/etc/tronicle/tronicle.conf', outputDirectory: '/var/lib/tronicle/data' });
  t.equal(unit.get('Service.StateDirectory'), 'tronicle', 'the node may write to the data folder only');
  t.equal(unit.get('Service.ProtectSystem'), 'strict');
  // `tronicle run` exits with 0 after a stop signal, and with 1 if the operator must act. systemd restarts the node
  // after a failure, but only StartLimitBurst times within StartLimitIntervalSec (600 s).
  t.equal(unit.get('Service.Restart'), 'on-failure');
  t.ok(Number(unit.get('Unit.StartLimitBurst')) * Number(unit.get('Service.RestartSec')) < 600);
  t.ok(Number(unit.get('Service.LimitNOFILE')) >= 65_536);
  t.notOk(unit.has('Service.MemoryDenyWriteExecute'), 'V8 compiles code at run time');
});

t.test('uses only settings that systemd supports', async (t) => {
  const copy = join(temporaryFolder(t), 'tronicle.service');
  copyFileSync(unit, copy);
  const { error, status, stdout, stderr } = spawnSync('systemd-analyze', ['verify', '--man=no', copy], {
    encoding: 'utf8',
  });
  if (error !== undefined) {
    t.match(error, { code: 'ENOENT' });
    t.comment('systemd-analyze is not installed: only the test above has checked the unit file');
    return;
  }
  // systemd reports an unknown key only on standard error, with exit code 0: "Unknown key name …, ignoring".
  t.equal(
    stderr
      .split('\n')
      .filter((line) => line.includes('tronicle.service'))
      .join('\n'),
    '',
  );
  t.equal(status, 0, stdout);
});
