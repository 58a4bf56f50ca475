import type { Logger } from 'pino';
import { LOG_LEVELS } from '../../config/log-levels.js';
import { createLog, logLevel } from '../logging.js';
import { durationText, Progress } from './progress.js';
import type { Arguments } from './read-arguments.js';

/** Result of a long command in words for people. */
interface Summary {
  /** Result as a sentence without a full stop. */
  readonly text: string;
  /** Command to run next. */
  readonly next?: string | undefined;
}

/**
 * Output of a long command. If standard output is not a terminal, or with `--json`, the command prints the result there
 * as JSON for scripts. Log, progress and summary are on standard error. With `--quiet`, only warnings are printed
 * there.
 */
export class CommandOutput {
  readonly progress: Progress;
  readonly log: Logger;
  /** True if the option `--json` is set. The command must then print one JSON object as its result. */
  readonly isJson: boolean;
  private readonly isQuiet: boolean;
  private readonly started = Date.now();

  constructor({ options }: Arguments) {
    this.isJson = options.has('--json');
    this.isQuiet = options.has('--quiet');
    this.progress = new Progress({ isQuiet: this.isQuiet });
    const level = logLevel();
    const isDetailed = LOG_LEVELS.indexOf(level) < LOG_LEVELS.indexOf('warn');
    this.log = createLog({ destination: 2, level: this.isQuiet && isDetailed ? 'warn' : level });
  }

  /** Seconds since the start of the command. */
  get seconds(): number {
    return (Date.now() - this.started) / 1000;
  }

  /** Prints the result as one JSON object. On a terminal, prints it only with `--json`. */
  print(result: object): void {
    this.progress.end();
    if (this.isJson || !process.stdout.isTTY) process.stdout.write(`${JSON.stringify(result)}\n`);
  }

  /** Prints the summary with the duration, except with `--quiet`. */
  summarize({ text, next }: Summary): void {
    this.progress.end();
    if (this.isQuiet) return;
    process.stderr.write(`${text} (${durationText(this.seconds)})\n`);
    if (next !== undefined) process.stderr.write(`next: ${next}\n`);
  }
}

/**
 * Returns a command line with the data folder of the current command. If `hasConfig` is true, adds the configuration
 * file of the current command.
 */
export function nextCommand(command: string, { flags }: Pick<Arguments, 'flags'>, hasConfig = false): string {
  const { configFile, outputDirectory } = flags;
  const config = configFile === undefined || !hasConfig ? '' : ` -c ${configFile}`;
  const data = outputDirectory === undefined ? '' : ` -d ${outputDirectory}`;
  return `tronicle ${command}${config}${data}`;
}
