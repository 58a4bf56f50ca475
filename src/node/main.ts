#!/usr/bin/env node
import { setFlagsFromString } from 'node:v8';
import { TronError, UsageError } from '../primitives/errors.js';
import { commandRows, findCommand, type NamedCommand, refuseMistypedCommand } from './commands/command-help.js';
import { loadCommand } from './commands/load-command.js';

// V8 enlarges the young generation only in steps, while it fills. Until it is large, each collection copies the
// objects of the block under execution. A larger growth factor makes this phase shorter.
setFlagsFromString('--semi-space-growth-factor=4');

// In `tronicle … | head`, `head` closes the pipe early. That is no failure.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
  process.exit(0);
});

process.exitCode = await main(process.argv.slice(2));

/**
 * Runs the named command, or `run` if the first argument is a flag or an address of a seed node. An operator's mistake
 * prints one sentence. Exit codes: 0 done, 1 failed, 2 wrong usage.
 */
async function main(args: readonly string[]): Promise<number> {
  const [first = '', ...rest] = args;
  try {
    if (['--help', '-h', 'help'].includes(first)) return await print(help);
    if (args.some((arg) => arg === '--version' || arg === '-v')) return await print(version);
    const named = findCommand(first);
    if (named === undefined) refuseMistypedCommand(first);
    const row = named ?? findCommand('run');
    if (row === undefined) throw new UsageError(`unknown command '${first}'`);
    if (named !== undefined && rest.includes('--help')) return await print(() => helpOf(row));
    return await (await loadCommand[row.name]()).run(named === undefined ? args : rest);
  } catch (error) {
    if (!(error instanceof TronError)) throw error;
    process.stderr.write(`${error.message}\n`);
    return error instanceof UsageError ? error.exitCode : 1;
  }
}

async function print(text: () => string | Promise<string>): Promise<number> {
  process.stdout.write(`${await text()}\n`);
  return 0;
}

function help(): string {
  const width = Math.max(...commandRows.map(({ name }) => name.length));
  return [
    'Usage: tronicle [command] [options]',
    '',
    ...commandRows.map(({ name, summary }) => `  ${name.padEnd(width)}  ${summary}`),
    '',
    "Run 'tronicle <command> --help' for the options of a command. Without a command, 'run' is used.",
  ].join('\n');
}

/** Returns the help of one command; that of `run` lists java-tron's flags too. */
async function helpOf({ name, summary, usage }: NamedCommand): Promise<string> {
  const text = `${summary}\n\n${usage}`;
  if (name !== 'run') return text;
  const { flagRows } = await import('../config/flags.js');
  return [text, '', ...flagRows.map(({ names, doc }) => `  ${names.join(', ').padEnd(36)}  ${doc}`)].join('\n');
}

async function version(): Promise<string> {
  const { releases } = await import('../state-transition/releases/index.js');
  return (await import('./version.js')).versionText(releases[0].name);
}
