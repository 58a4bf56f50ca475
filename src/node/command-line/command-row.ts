import type { OptionRow } from '../../config/read-options.js';

/** Positional argument of a command. */
export interface WordRow {
  /** Name in the help, such as `<file>`. */
  readonly name: string;
  /** Meaning of the argument, as a sentence without a full stop. */
  readonly doc: string;
  readonly isOptional?: true;
  /** True for the last argument if it can be repeated. */
  readonly isRepeated?: true;
  /** All valid values, if they can be listed. */
  readonly choices?: readonly string[];
}

/**
 * Description of one command. The help, the shell completion, the man page and `docs/commands.md` are generated from
 * it. The module of a command is found by its name.
 */
export interface CommandRow {
  readonly name: string;
  /** Summary in one line, imperative, under 80 characters. */
  readonly summary: string;
  /** Forms of the command line, without the program name. */
  readonly usage: readonly string[];
  readonly words: readonly WordRow[];
  /** The command's own options. */
  readonly options: readonly OptionRow[];
  /**
   * Long names of java-tron's flags that affect the command. `all` is for the command that runs the node. The command
   * accepts other flags without effect, so that scripts can pass the same flags to all commands. A command with an
   * empty list rejects all flags except `--help`.
   */
  readonly flags: 'all' | readonly string[];
  readonly examples: readonly [string, ...string[]];
  /** Facts that an operator must know, one paragraph each. */
  readonly notes?: readonly string[];
}
