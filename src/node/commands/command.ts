/** One subcommand of `tronicle`. */
export interface Command {
  /**
   * Runs the command and returns the exit code.
   * @throws {TronError} the command failed; the message is one sentence for the operator
   */
  run(args: readonly string[]): Promise<number>;
}
