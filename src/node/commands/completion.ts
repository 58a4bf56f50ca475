import { itemAt } from '../../primitives/assert.js';
import { completionScripts } from '../command-line/completion.js';
import { readArguments, wrongUsage } from '../command-line/read-arguments.js';
import type { Command } from './command.js';

/** Prints the completion script of a shell. */
export const completion: Command = {
  run,
};

async function run(args: readonly string[]): Promise<number> {
  const shell = itemAt(readArguments(args, 'completion').words, 0);
  if (!isShell(shell)) throw wrongUsage('completion', `unknown shell '${shell}'`);
  process.stdout.write(`${completionScripts[shell]()}\n`);
  return 0;
}

function isShell(name: string): name is keyof typeof completionScripts {
  return Object.hasOwn(completionScripts, name);
}
