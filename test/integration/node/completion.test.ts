import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { completionScripts } from '../../../src/node/command-line/completion.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

/** Command lines with the completions of their last word, the same in every shell. */
const LINES = [
  ['tronicle re', ['reconcile', 'replay']],
  ['tronicle import --u', ['--until']],
  ['tronicle --wit', ['--witness', '--witness-address']],
  ['tronicle --p2p-disable ', ['false', 'true']],
  ['tronicle --storage-db-engine ', ['LEVELDB', 'ROCKSDB']],
  ['tronicle stream pa', ['pause']],
  ['tronicle stream -d x re', ['remove', 'resume']],
  ['tronicle stream add bl', ['blocks.tron']],
  ['tronicle stream schema --topic tran', ['transaction', 'transfer']],
  ['tronicle completion ', ['bash', 'fish', 'zsh']],
  ['tronicle import bl', ['blocks.tron']],
  ['tronicle import --sinks bl', ['blocks.tron']],
  ['tronicle import -d data bl', ['blocks.tron']],
  ['tronicle import blocks.tron bl', []],
  ['tronicle run -c bl', ['blocks.tron']],
  ['tronicle verify -d da', ['data folder']],
  ['tronicle backup da', ['data folder']],
  ['tronicle keystore export-protection bl', ['blocks.tron']],
  ['tronicle replay --projection a', ['accounts', 'assets']],
  ['tronicle devnet --release 4.7', ['4.7.2']],
  ['tronicle import --until ', []],
] as const;

/** Returns a folder with a file and a folder to complete. */
function workingFolder(t: Test): string {
  const folder = temporaryFolder(t);
  mkdirSync(join(folder, 'data folder'));
  writeFileSync(join(folder, 'blocks.tron'), '');
  return folder;
}

function run(shell: string, args: readonly string[], cwd: string): string {
  const env = { ...process.env, HOME: cwd, TERM: 'dumb' };
  const { error, stdout, stderr } = spawnSync(shell, args, { cwd, env, encoding: 'utf8', timeout: 60_000 });
  if (error !== undefined || stderr !== '') throw error ?? new Error(stderr);
  return stdout;
}

/** Returns sorted completions without descriptions, escapes, and the slash of a folder. */
function sorted(found: string): readonly string[] {
  const words = found.split('\n').map((line) => line.replace(/\t.*/, '').replaceAll('\\', '').replace(/\/$/, ''));
  return [...new Set(words.filter((word) => word !== ''))].sort();
}

t.test('completes in fish', async (t) => {
  const folder = workingFolder(t);
  writeFileSync(join(folder, 'tronicle.fish'), completionScripts.fish());
  const completed = (line: string): readonly string[] =>
    sorted(run('fish', ['--no-config', '-c', `source tronicle.fish; complete -C '${line}'`], folder));
  for (const [line, answers] of LINES) t.same(completed(line), answers, line);
  t.same(completed('tronicle --p2p-disable=t'), ['--p2p-disable=true'], 'a value after =');
});

/**
 * Start file of an interactive zsh. As soon as zsh accepts a line, the file inserts `$TYPED`, presses Tab once, and
 * exits. `compadd` also writes the completions to the file `found`.
 */
const ZSH_START = `
fpath=($PWD $fpath)
autoload -U compinit
compinit -u -D
setopt extended_glob
compadd() {
  local option
  for option in "$@"; do
    case $option in
      -|--) break ;;
      # The completion system only sorts or counts with these options.
      -[a-zA-Z]#[OAD]) builtin compadd "$@"; return ;;
    esac
  done
  local -a found
  builtin compadd -O found "$@"
  print -l -- $found >> found
  builtin compadd "$@"
}
zle-line-init() {
  BUFFER=$TYPED
  CURSOR=$#BUFFER
  zle expand-or-complete
  exit
}
zle -N zle-line-init
`;

/** Runs the start file in a terminal of its own. */
const ZSH_TERMINAL = `
zmodload zsh/zpty
zpty typed zsh -i
while zpty -r typed; do :; done > terminal
exit 0
`;

t.test('completes at the first Tab in zsh', async (t) => {
  const folder = workingFolder(t);
  writeFileSync(join(folder, '_tronicle'), completionScripts.zsh());
  writeFileSync(join(folder, '.zshrc'), ZSH_START);
  const completed = (line: string): readonly string[] => {
    writeFileSync(join(folder, 'found'), '');
    run('zsh', ['-f', '-c', `export TYPED='${line}' ZDOTDIR=.\n${ZSH_TERMINAL}`], folder);
    return sorted(readFileSync(join(folder, 'found'), 'utf8'));
  };
  for (const [line, answers] of LINES) t.same(completed(line), answers, line);
  t.same(completed('tronicle --p2p-disable=t'), ['true'], 'a value after =');
});
