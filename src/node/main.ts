#!/usr/bin/env node
import { TronError } from '../log/domain/errors.js';
import type { Command } from './commands/command.js';
import { drive } from './commands/drive.js';
import { exportCommand } from './commands/export.js';
import { importCommand } from './commands/import.js';
import { status } from './commands/status.js';

const commands: readonly Command[] = [importCommand, exportCommand, status, drive];

process.exitCode = await main(process.argv.slice(2));

/** Runs the named command; without a name, `run`. A mistake of the operator is one sentence and exit code 1. */
async function main(args: readonly string[]): Promise<number> {
  const [name, ...rest] = args;
  const command = commands.find((candidate) => candidate.name === name);
  try {
    if (command !== undefined) return await command.run(rest);
    process.stdout.write(`${help()}\n`);
    return name === undefined || name === '--help' ? 0 : 1;
  } catch (error) {
    if (!(error instanceof TronError)) throw error;
    process.stderr.write(`${error.message}\n`);
    return 1;
  }
}

function help(): string {
  return ['tronicle <command>', '', ...commands.map(({ name, summary }) => `  ${name.padEnd(12)} ${summary}`)].join(
    '\n',
  );
}
