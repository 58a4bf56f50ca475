import { manPage } from '../command-line/man-page.js';
import { readArguments } from '../command-line/read-arguments.js';
import { buildInfo } from '../version.js';
import type { Command } from './command.js';

/** Prints the manual page as source text for `man`. */
export const man: Command = {
  run,
};

async function run(args: readonly string[]): Promise<number> {
  readArguments(args, 'man');
  process.stdout.write(manPage(buildInfo().version));
  return 0;
}
