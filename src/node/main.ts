#!/usr/bin/env node
import { TronError } from '../log/domain/errors.js';
import type { Command } from './commands/command.js';
import { devnet } from './commands/devnet.js';
import { drive } from './commands/drive.js';
import { exportCommand } from './commands/export.js';
import { importCommand } from './commands/import.js';
import { replay } from './commands/replay.js';
import { run } from './commands/run.js';
import { status } from './commands/status.js';
import { verify } from './commands/verify.js';

const commands: readonly Command[] = [run, devnet, importCommand, replay, verify, exportCommand, status, drive];

process.exitCode = await main(process.argv.slice(2));

/** Runs the named command; options without a name are `run`'s. A mistake of the operator is one sentence and exit code 1. */
async function main(args: readonly string[]): Promise<number> {
  const [name, ...rest] = args;
  const command = commands.find((candidate) => candidate.name === name);
  try {
    if (name === '--help' || name === '-h' || name === 'help') {
      process.stdout.write(`${help()}\n`);
      return 0;
    }
    if (command !== undefined && rest.includes('--help')) {
      process.stdout.write(`${command.summary}\n\n${command.usage}\n`);
      return 0;
    }
    return await (command === undefined ? run.run(args) : command.run(rest));
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
