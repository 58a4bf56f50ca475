#!/usr/bin/env node
import { setFlagsFromString } from 'node:v8';
import { present } from '../primitives/assert.js';
import { TronError, UsageError } from '../primitives/errors.js';
import type { Command } from './commands/command.js';

// V8 doubles the young generation only while it fills. Until it is large, each collection copies the block under
// execution. A larger growth factor shortens that phase.
setFlagsFromString('--semi-space-growth-factor=4');

const run = async (): Promise<Command> => (await import('./commands/run.js')).run;

/** Commands by name, in the order of the help. Modules load on demand, so that `status` does not load the APIs. */
const commands: Readonly<Record<string, () => Promise<Command>>> = {
  run,
  devnet: async () => (await import('./commands/devnet.js')).devnet,
  import: async () => (await import('./commands/import.js')).importCommand,
  bootstrap: async () => (await import('./commands/bootstrap.js')).bootstrapCommand,
  replay: async () => (await import('./commands/replay.js')).replay,
  prune: async () => (await import('./commands/prune.js')).prune,
  compact: async () => (await import('./commands/compact.js')).compact,
  backup: async () => (await import('./commands/backup.js')).backup,
  verify: async () => (await import('./commands/verify.js')).verify,
  export: async () => (await import('./commands/export.js')).exportCommand,
  stream: async () => (await import('./commands/stream.js')).stream,
  keystore: async () => (await import('./commands/keystore.js')).keystore,
  status: async () => (await import('./commands/status.js')).status,
  doctor: async () => (await import('./commands/doctor.js')).doctor,
  drive: async () => (await import('./commands/test-driver.js')).testDriver,
};

process.exitCode = await main(process.argv.slice(2));

/**
 * Runs the named command, or `run` if the first argument is not a command. An operator's mistake prints one sentence
 * and sets an exit code, usually 1.
 */
async function main(args: readonly string[]): Promise<number> {
  const [name = '', ...rest] = args;
  try {
    if (name === '--help' || name === '-h' || name === 'help') {
      process.stdout.write(`${await help()}\n`);
      return 0;
    }
    if (!Object.hasOwn(commands, name)) return await (await run()).run(args);
    const command = await present(commands[name], 'the name was checked above')();
    if (rest.includes('--help')) {
      process.stdout.write(`${command.summary}\n\n${command.usage}\n`);
      return 0;
    }
    return await command.run(rest);
  } catch (error) {
    if (!(error instanceof TronError)) throw error;
    process.stderr.write(`${error.message}\n`);
    return error instanceof UsageError ? error.exitCode : 1;
  }
}

async function help(): Promise<string> {
  const all = await Promise.all(Object.values(commands).map((load) => load()));
  return ['tronicle <command>', '', ...all.map(({ name, summary }) => `  ${name.padEnd(12)} ${summary}`)].join('\n');
}
