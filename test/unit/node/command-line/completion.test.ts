import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { commandRows } from '../../../../src/node/command-line/command-rows.js';
import { completionScripts } from '../../../../src/node/command-line/completion.js';
import { shownOptionsOf } from '../../../../src/node/command-line/options-of.js';
import { temporaryFolder } from '../../../support/temporary-folder.js';

/** Returns the completions that bash suggests for the last word of a command line. */
function completed(line: string, cwd: string): readonly string[] {
  const words = line.split(' ');
  const script = `${completionScripts.bash()}
COMP_WORDS=(${words.map((word) => `'${word}'`).join(' ')})
COMP_CWORD=${words.length - 1}
_tronicle
printf '%s\\n' "\${COMPREPLY[@]}"`;
  const { stdout, stderr } = spawnSync('bash', ['--norc', '-c', script], { cwd, encoding: 'utf8' });
  if (stderr !== '') throw new Error(stderr);
  return stdout.split('\n').filter((word) => word !== '');
}

t.test('completes commands, options, listed words, files and folders in bash', async (t) => {
  const folder = temporaryFolder(t);
  mkdirSync(join(folder, 'data folder'));
  writeFileSync(join(folder, 'blocks.tron'), '');
  for (const [line, answers] of [
    ['tronicle re', ['replay', 'reconcile']],
    ['tronicle import --u', ['--until']],
    ['tronicle --wit', ['--witness', '--witness-address']],
    ['tronicle --p2p-disable ', ['true', 'false']],
    ['tronicle stream pa', ['pause']],
    ['tronicle stream -d x re', ['resume', 'remove']],
    ['tronicle completion ', ['bash', 'zsh', 'fish']],
    ['tronicle import bl', ['blocks.tron']],
    ['tronicle import --sinks bl', ['blocks.tron']],
    ['tronicle verify -d ', ['data folder']],
    ['tronicle run -c b', ['blocks.tron']],
    ['tronicle import --until ', []],
    ['tronicle import --sinks blocks.tron bl', []],
    ['tronicle import -d data bl', ['blocks.tron']],
    ['tronicle --p2p-disable = t', ['true']],
    ['tronicle import -d = data bl', ['blocks.tron']],
    ['tronicle --storage-db-engine ', ['LEVELDB', 'ROCKSDB']],
    ['tronicle replay --projection a', ['accounts', 'assets']],
    ['tronicle devnet --release 4.7', ['4.7.2']],
    ['tronicle keystore export-protection bl', ['blocks.tron']],
    ['tronicle verify ', []],
  ] as const)
    t.same(completed(line, folder), answers, line);
});

t.test('has every command and option in the script of each shell', async (t) => {
  for (const [shell, script] of Object.entries(completionScripts)) {
    const text = script();
    for (const row of commandRows) {
      t.ok(text.includes(row.name), `${shell}: ${row.name}`);
      for (const name of shownOptionsOf(row).flatMap(({ names }) => names))
        t.ok(
          text.includes(shell === 'fish' ? name.replace(/^--/, '-l ').replace(/^-(?=.$)/, '-s ') : name),
          `${shell}: ${row.name} ${name}`,
        );
    }
  }
});
