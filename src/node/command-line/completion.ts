import type { OptionRow } from '../../config/read-options.js';
import type { CommandRow } from './command-row.js';
import { commandRows } from './command-rows.js';
import { shownOptionsOf } from './options-of.js';

const rows: readonly CommandRow[] = commandRows;

/** Functions that return the completion script, by shell. */
export const completionScripts = { bash: bashScript, zsh: zshScript, fish: fishScript } as const;

/** Completions of an argument: names of files or folders, listed words, or nothing. */
type Completed = 'file' | 'folder' | 'nothing' | readonly string[];

const FILES: ReadonlySet<string> = new Set(['<file>', '<source>', '<sink>', '<address>']);
const FOLDERS: ReadonlySet<string> = new Set(['<folder>', '<target>']);

function completedOf(placeholder: string, choices?: readonly string[]): Completed {
  if (choices !== undefined) return choices;
  if (placeholder === '<true|false>') return ['true', 'false'];
  if (FILES.has(placeholder)) return 'file';
  return FOLDERS.has(placeholder) ? 'folder' : 'nothing';
}

function completedOption({ names, value = '', choices }: OptionRow): Completed {
  // An `<address>` is the address of a replica source or of an account, so no file is completed.
  return value === '<address>' && !names.includes('--key-file') ? 'nothing' : completedOf(value, choices);
}

function bashScript(): string {
  const cases = rows.flatMap((row) => [
    ...shownOptionsOf(row)
      .filter(({ value }) => value !== undefined)
      .map((option) => {
        const patterns = option.names.map((name) => quoted(`${row.name} ${name}`)).join('|');
        return `    ${patterns}) ${bashWords(completedOption(option))} return ;;`;
      }),
  ]);
  const options = rows.map(
    (row) =>
      `    ${row.name}) options=${quoted(
        shownOptionsOf(row)
          .flatMap(({ names }) => names)
          .join(' '),
      )} ;;`,
  );
  const words = rows.flatMap(({ name, words }) =>
    words.map(
      (word, at) => `    ${quoted(`${name} ${at}`)}) ${bashWords(completedOf(word.name, word.choices))} return ;;`,
    ),
  );
  return `# Completion of tronicle for bash: source <(tronicle completion bash)
_tronicle() {
  local cur=\${COMP_WORDS[COMP_CWORD]} prev=\${COMP_WORDS[COMP_CWORD - 1]} command=run options='' count=0 at=1
  COMPREPLY=()
  if ((COMP_CWORD > 1)); then
    case \${COMP_WORDS[1]} in
      ${rows.map(({ name }) => name).join('|')}) command=\${COMP_WORDS[1]} at=2 ;;
    esac
  fi
  for (( ; at < COMP_CWORD; at++)); do
    [[ \${COMP_WORDS[at]} == -* || \${COMP_WORDS[at - 1]} == -* ]] || ((count++))
  done
  case "$command $prev" in
${cases.join('\n')}
  esac
  case $command in
${options.join('\n')}
  esac
  if [[ $cur == -* ]]; then
    COMPREPLY=($(compgen -W "$options" -- "$cur"))
    return
  fi
  if ((COMP_CWORD == 1)); then
    COMPREPLY=($(compgen -W ${quoted(rows.map(({ name }) => name).join(' '))} -- "$cur"))
    return
  fi
  case "$command $count" in
${words.join('\n')}
  esac
}
complete -o filenames -F _tronicle tronicle`;
}

/**
 * Returns the bash command that sets `COMPREPLY`. The command reads whole lines, because names of files may contain
 * spaces.
 */
function bashWords(completed: Completed): string {
  if (completed === 'nothing') return '';
  if (completed === 'file') return 'mapfile -t COMPREPLY < <(compgen -f -- "$cur");';
  if (completed === 'folder') return 'mapfile -t COMPREPLY < <(compgen -d -- "$cur");';
  return `COMPREPLY=($(compgen -W ${quoted(completed.join(' '))} -- "$cur"));`;
}

function zshScript(): string {
  const commands = rows.map(({ name, summary }) => `    ${quoted(`${name}:${summary}`)}`);
  const cases = rows.map((row) => {
    const options = shownOptionsOf(row).flatMap((option) => option.names.map((name) => zshOption(option, name)));
    const words = row.words.map((word, at) => {
      const position = word.isRepeated === true ? '*' : String(at + 1);
      return quoted(`${position}:${zshText(word.name)}:${zshAction(completedOf(word.name, word.choices))}`);
    });
    return `    ${row.name}) _arguments ${[...options, ...words].join(' ')} ;;`;
  });
  return `#compdef tronicle
# Completion of tronicle for zsh: tronicle completion zsh > "\${fpath[1]}/_tronicle"
_tronicle() {
  local -a commands
  commands=(
${commands.join('\n')}
  )
  if ((CURRENT == 2)) && [[ $words[2] != -* ]]; then
    _describe command commands
    return
  fi
  local command=run
  if [[ $words[2] != -* ]]; then
    command=$words[2]
    shift words
    ((CURRENT--))
  fi
  case $command in
${cases.join('\n')}
  esac
}
compdef _tronicle tronicle`;
}

function zshOption(option: OptionRow, name: string): string {
  const { names, doc, value } = option;
  const others = names.length > 1 ? `(${names.join(' ')})` : '';
  const argument = value === undefined ? '' : `:${zshText(value)}:${zshAction(completedOption(option))}`;
  return quoted(`${others}${name}[${zshText(doc)}]${argument}`);
}

function zshAction(completed: Completed): string {
  if (completed === 'nothing') return ' ';
  if (completed === 'file') return '_files';
  return completed === 'folder' ? '_files -/' : `(${completed.join(' ')})`;
}

/** Escapes the characters that separate the parts of an argument of `_arguments`. */
function zshText(text: string): string {
  return text.replaceAll(/[[\]:\\]/g, '\\$&');
}

function fishScript(): string {
  const commands = rows.map(
    ({ name, summary }) => `complete -c tronicle -n __fish_use_subcommand -a ${name} -d ${quoted(summary)}`,
  );
  const options = rows.flatMap((row) => [
    ...shownOptionsOf(row).map((option) => {
      const names = option.names.map((name) => (name.startsWith('--') ? `-l ${name.slice(2)}` : `-s ${name.slice(1)}`));
      return `${fishCommand(row.name)} ${names.join(' ')}${fishValue(option)} -d ${quoted(option.doc)}`;
    }),
    ...row.words.flatMap(({ name, choices }) => {
      const completed = completedOf(name, choices);
      if (completed === 'file') return [`${fishCommand(row.name)} -F`];
      if (completed === 'folder') return [`${fishCommand(row.name)} -a '(__fish_complete_directories)'`];
      return completed === 'nothing' ? [] : [`${fishCommand(row.name)} -a ${quoted(completed.join(' '))}`];
    }),
  ]);
  return [
    '# Completion of tronicle for fish: tronicle completion fish > ~/.config/fish/completions/tronicle.fish',
    'complete -c tronicle -f',
    ...commands,
    ...options,
  ].join('\n');
}

function fishCommand(name: string): string {
  return `complete -c tronicle -n '__fish_seen_subcommand_from ${name}'`;
}

function fishValue(option: OptionRow): string {
  if (option.value === undefined) return '';
  const completed = completedOption(option);
  if (completed === 'file') return ' -r -F';
  if (completed === 'folder') return " -x -a '(__fish_complete_directories)'";
  return completed === 'nothing' ? ' -x' : ` -x -a ${quoted(completed.join(' '))}`;
}

/** Quotes a text for all three shells. fish reads a backslash in quotes as an escape only before a quote. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", `'"'"'`)}'`;
}
