/** One subcommand of `tronicle`. */
export interface Command {
  readonly name: string;
  /** One line for the help, imperative, under 80 characters. */
  readonly summary: string;
  readonly usage: string;
  /** Runs the command and returns the exit code. @throws {TronError} one sentence for the operator */
  run(args: readonly string[]): Promise<number>;
}
