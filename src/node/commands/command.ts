/** One subcommand of `tronicle`. */
export interface Command {
  readonly name: string;
  /** One line for the list of commands. */
  readonly summary: string;
  readonly usage: string;
  /** Answers the exit code. @throws {TronError} one sentence for the operator */
  run(args: readonly string[]): Promise<number>;
}
