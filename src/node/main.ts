#!/usr/bin/env node
import { setFlagsFromString } from 'node:v8';
import { isSystemError, systemErrorText } from '../files/system-error.js';
import { present } from '../primitives/assert.js';
import { TronError, UsageError } from '../primitives/errors.js';
import { maskKeys } from '../primitives/mask-keys.js';
import type { NamedCommand } from './command-line/command-rows.js';
import { findCommand, refuseMistypedCommand } from './command-line/find-command.js';
import { helpOf, helpText } from './command-line/help.js';
import { loadCommand } from './commands/load-command.js';

// Makes V8 enlarge its young generation in larger steps. While this generation is small, each collection copies the
// objects of the block in execution.
setFlagsFromString('--semi-space-growth-factor=4');

// In `tronicle … | head`, `head` closes the pipe early. This is not a failure of the command.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
  process.exit(0);
});

// If standard error is closed, the command continues without progress lines.
process.stderr.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
});

process.exitCode = await main(process.argv.slice(2));

/**
 * Runs the named command. If the first argument is a flag or a seed address, runs `run`. For an error that the
 * operator can fix, prints one sentence. Exit codes: 0 done, 1 failed, 2 wrong usage.
 */
async function main(args: readonly string[]): Promise<number> {
  const [first = '', ...rest] = args;
  try {
    if (['--help', '-h', 'help'].includes(first)) return await print(helpText);
    if (args.some((arg) => arg === '--version' || arg === '-v')) return await print(version);
    const named = findCommand(first);
    if (named === undefined) refuseMistypedCommand(first);
    const row: NamedCommand = named ?? present(findCommand('run'), 'run is a command');
    if (args.some((arg) => arg === '--help' || arg === '-h')) return await print(() => helpOf(row));
    return await (await loadCommand[row.name]()).run(named === undefined ? args : rest);
  } catch (error) {
    if (!(error instanceof TronError || isSystemError(error))) throw error;
    process.stderr.write(`${isSystemError(error) ? maskKeys(systemErrorText(error)) : error.message}\n`);
    return error instanceof UsageError ? error.exitCode : 1;
  }
}

async function print(text: () => string | Promise<string>): Promise<number> {
  process.stdout.write(`${await text()}\n`);
  return 0;
}

async function version(): Promise<string> {
  const { releases } = await import('../state-transition/releases/index.js');
  return (await import('./version.js')).versionText(releases[0].name);
}
