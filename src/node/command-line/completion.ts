import type { OptionRow } from '../../config/read-options.js';
import { stateProjections } from '../../projections/state-projections.js';
import { releases } from '../../state-transition/releases/index.js';
import { TRIGGERS } from '../../streams/event-kinds.js';
import type { CommandRow, WordRow } from './command-row.js';
import { commandRows } from './command-rows.js';
import { shownOptionsOf } from './options-of.js';

const rows: readonly CommandRow[] = commandRows;
const commandNames = rows.map(({ name }) => name);

/** Functions that return the completion script, by shell. */
export const completionScripts = { bash: bashScript, zsh: zshScript, fish: fishScript } as const;

/** Completions of an argument: names of files or folders, listed words, or nothing. */
type Completed = 'file' | 'folder' | 'nothing' | readonly string[];

/** Completions of placeholders whose names do not list the values. */
const PLACEHOLDERS: Readonly<Record<string, Completed>> = {
  '<file>': 'file',
  '<source>': 'file',
  '<address|file>': 'file',
  '<folder>': 'folder',
  '<target>': 'folder',
  '<release>': releases.map(({ name }) => name),
  '<trigger>': TRIGGERS,
};

/** Completions that depend on the option, not on the placeholder. */
const OPTIONS: Readonly<Record<string, Completed>> = {
  // The target of a backfill is a file, a Kafka topic or a PostgreSQL schema. Only the names of files can be
  // completed.
  '--into': 'file',
  '--projection': stateProjections.map(({ name }) => name),
  '--history': ['all', 'none'],
  '--rate': ['off'],
};

function completedOf(placeholder: string, choices?: readonly string[]): Completed {
  if (choices !== undefined) return choices;
  const known = Object.hasOwn(PLACEHOLDERS, placeholder) ? PLACEHOLDERS[placeholder] : undefined;
  if (known !== undefined) return known;
  return placeholder.includes('|') ? placeholder.slice(1, -1).split('|') : 'nothing';
}

function completedOption({ names, value = '', choices }: OptionRow): Completed {
  const known = names.map((name) => (Object.hasOwn(OPTIONS, name) ? OPTIONS[name] : undefined));
  return known.find((completed) => completed !== undefined) ?? completedOf(value, choices);
}

function completedWord({ name, choices }: WordRow): Completed {
  // The argument after `stream add` is a file, so `<sink>` completes files. The names of sinks are not completed,
  // because only a running node has them.
  return name === '<sink>' ? 'file' : completedOf(name, choices);
}

/** Returns the names of all options of a command that take a value. */
function valuedNames(row: CommandRow): readonly string[] {
  return shownOptionsOf(row)
    .filter(({ value }) => value !== undefined)
    .flatMap(({ names }) => names);
}

function bashScript(): string {
  const values = rows.flatMap((row) =>
    shownOptionsOf(row)
      .filter(({ value }) => value !== undefined)
      .map((option) => {
        const patterns = option.names.map((name) => quoted(`${row.name} ${name}`)).join('|');
        return `    ${patterns}) ${bashWords(completedOption(option))} return ;;`;
      }),
  );
  const options = rows.map((row) => {
    const names = shownOptionsOf(row).flatMap((option) => option.names);
    return `    ${row.name}) options=${quoted(names.join(' '))} valued=${quoted(valuedNames(row).join(' '))} ;;`;
  });
  const words = rows.flatMap((row) =>
    row.words.map((word, at) => `    ${quoted(`${row.name} ${at}`)}) ${bashWords(completedWord(word))} return ;;`),
  );
  return `# Completion of tronicle for bash: source <(tronicle completion bash)
_tronicle() {
  local cur=\${COMP_WORDS[COMP_CWORD]} prev=\${COMP_WORDS[COMP_CWORD - 1]}
  local command=run options='' valued='' count=0 at=1
  COMPREPLY=()
  # bash divides --option=value into three words.
  if [[ $cur == = ]]; then
    cur=''
  elif [[ $prev == = ]]; then
    prev=\${COMP_WORDS[COMP_CWORD - 2]}
  fi
  if ((COMP_CWORD > 1)); then
    case \${COMP_WORDS[1]} in
      ${commandNames.join('|')}) command=\${COMP_WORDS[1]} at=2 ;;
    esac
  fi
  case "$command $prev" in
${values.join('\n')}
  esac
  case $command in
${options.join('\n')}
  esac
  if [[ $cur == -* ]]; then
    COMPREPLY=($(compgen -W "$options" -- "$cur"))
    return
  fi
  if ((COMP_CWORD == 1)); then
    COMPREPLY=($(compgen -W ${quoted(commandNames.join(' '))} -- "$cur"))
    return
  fi
  for (( ; at < COMP_CWORD; at++)); do
    if [[ \${COMP_WORDS[at]} != -* ]]; then
      ((count++))
    elif [[ \${COMP_WORDS[at + 1]} == = ]]; then
      ((at += 2))
    elif [[ " $valued " == *" \${COMP_WORDS[at]} "* ]]; then
      ((at++))
    fi
  done
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

/**
 * Returns the script for zsh. At the first completion, zsh runs the completion file inside of a function with the
 * file's name, and the script completes immediately. If a user runs `source` on the file, the script only registers the
 * function.
 */
function zshScript(): string {
  const commands = rows.map(({ name, summary }) => `    ${quoted(`${name}:${summary}`)}`);
  const cases = rows.map((row) => {
    const options = shownOptionsOf(row).flatMap((option) => option.names.map((name) => zshOption(option, name)));
    const words = row.words.map((word, at) => {
      const position = word.isRepeated === true ? '*' : String(at + 1);
      return quoted(`${position}:${zshText(word.name)}:${zshAction(completedWord(word))}`);
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
  case $words[2] in
    ${commandNames.join('|')})
      command=$words[2]
      shift words
      ((CURRENT--))
      ;;
  esac
  case $command in
${cases.join('\n')}
  esac
}
if [[ $funcstack[1] == _tronicle ]]; then
  _tronicle "$@"
else
  compdef _tronicle tronicle
fi`;
}

function zshOption(option: OptionRow, name: string): string {
  const { names, doc, value } = option;
  const others = names.length > 1 ? `(${names.join(' ')})` : '';
  const argument = value === undefined ? '' : `:${zshText(value)}:${zshAction(completedOption(option))}`;
  // The value of a long option is the next word, or follows after '='.
  const separator = value !== undefined && name.startsWith('--') ? '=' : '';
  return quoted(`${others}${name}${separator}[${zshText(doc)}]${argument}`);
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
  const valued = rows.map((row) => `    case ${row.name}\n      set valued ${valuedNames(row).join(' ')}`);
  const commands = rows.map(
    ({ name, summary }) => `complete -c tronicle -n __tronicle_has_no_argument -a ${name} -d ${quoted(summary)}`,
  );
  const options = rows.flatMap((row) => [
    ...shownOptionsOf(row).map((option) => {
      const names = option.names.map((name) => (name.startsWith('--') ? `-l ${name.slice(2)}` : `-s ${name.slice(1)}`));
      return `${fishCommand(row)} ${names.join(' ')}${fishValue(option)} -d ${quoted(option.doc)}`;
    }),
    ...row.words.flatMap((word, at) => {
      const completed = completedWord(word);
      if (completed === 'nothing') return [];
      const command = fishCommand(row, at);
      if (completed === 'file') return [`${command} -F`];
      return [`${command} -a ${completed === 'folder' ? FISH_FOLDERS : quoted(completed.join(' '))}`];
    }),
  ]);
  return `# Completion of tronicle for fish: tronicle completion fish > ~/.config/fish/completions/tronicle.fish
function __tronicle_has_no_argument
  test (count (commandline -opc)) -eq 1
end
# Succeeds for the command $argv[1]. If $argv[2] is set, the line must have this number of arguments before the cursor.
function __tronicle_at
  set -l words (commandline -opc)
  set -e words[1]
  set -l command run
  if contains -- "$words[1]" ${commandNames.join(' ')}
    set command $words[1]
    set -e words[1]
  end
  test $command = $argv[1]; or return 1
  set -q argv[2]; or return 0
  set -l valued
  switch $command
${valued.join('\n')}
  end
  set -l count 0
  set -l is_value 0
  for word in $words
    if test $is_value = 1
      set is_value 0
    else if contains -- $word $valued
      set is_value 1
    else if not string match -q -- '-*' $word
      set count (math $count + 1)
    end
  end
  test $count = $argv[2]
end
complete -c tronicle -f
${[...commands, ...options].join('\n')}`;
}

const FISH_FOLDERS = "'(__fish_complete_directories)'";

/**
 * Returns the start of a fish command that adds a completion for a command.
 * @param at index of the only argument to complete; if undefined, the completion is for all arguments
 */
function fishCommand({ name }: CommandRow, at?: number): string {
  return `complete -c tronicle -n '__tronicle_at ${name}${at === undefined ? '' : ` ${at}`}'`;
}

function fishValue(option: OptionRow): string {
  if (option.value === undefined) return '';
  const completed = completedOption(option);
  if (completed === 'file') return ' -r -F';
  if (completed === 'nothing') return ' -x';
  return ` -x -a ${completed === 'folder' ? FISH_FOLDERS : quoted(completed.join(' '))}`;
}

/**
 * Quotes a text for all three shells. In single quotes, fish reads a backslash as an escape only before a quote or
 * another backslash.
 */
function quoted(text: string): string {
  return `'${text.replaceAll("'", `'"'"'`)}'`;
}
