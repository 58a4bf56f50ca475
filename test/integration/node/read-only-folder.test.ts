import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { open } from '../../support/projections/chain.js';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { type Outcome, outcomeOf, startTronicle } from '../../support/tronicle.js';

/** Mounts the folder of the first argument read-only in a separate mount namespace, then runs the other arguments. */
const MOUNT = 'mount --bind "$0" "$0" && mount -o remount,bind,ro "$0" && exec "$@"';
const NAMESPACES = ['-r', '-m', 'sh', '-c', MOUNT];
const canMount = spawnSync('unshare', [...NAMESPACES, '/tmp', 'true']).status === 0;

/** Runs a command of Tronicle to which the data folder is read-only, as in a container with the volume option `ro`. */
function runWithReadOnly(dataDir: string, args: readonly string[]): Promise<Outcome> {
  const program = { path: 'unshare', options: [...NAMESPACES, dataDir, process.execPath] };
  return outcomeOf(startTronicle([...args, '-d', dataDir], { program }));
}

// LMDB cannot register a reader that may not write `lock.mdb`. A backup next to a writing node then missed two thirds
// of the rows, and ended with exit code 0.
if (canMount)
  t.test('reads a read-only data folder only if no process writes it', async (t) => {
    const parent = temporaryFolder(t);
    const dataDir = join(parent, 'data');
    const target = join(parent, 'copy');
    const ledger = await open(dataDir);
    const commands = [['status'], ['verify'], ['backup', target]];
    for (const args of commands) {
      const { code, stdout, stderr } = await runWithReadOnly(dataDir, args);
      t.match(
        [code, stdout, stderr],
        [1, '', /cannot read .*, because .*lock\.mdb is not writable; run the command as/],
      );
    }
    t.notOk(existsSync(target));

    await ledger.close();
    for (const args of commands) {
      const { code, stderr } = await runWithReadOnly(dataDir, args);
      t.equal(code, 0, stderr);
    }
    t.ok(existsSync(join(target, 'log', 'data.mdb')));
  });
