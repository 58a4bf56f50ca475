import type { CommandName } from '../command-line/command-rows.js';
import type { Command } from './command.js';

/** Loads the module of a command on demand, so that, for example, `status` does not load the APIs. */
export const loadCommand: Readonly<Record<CommandName, () => Promise<Command>>> = {
  run: async () => (await import('./run.js')).run,
  devnet: async () => (await import('./devnet.js')).devnet,
  import: async () => (await import('./import.js')).importCommand,
  bootstrap: async () => (await import('./bootstrap.js')).bootstrapCommand,
  replay: async () => (await import('./replay.js')).replay,
  prune: async () => (await import('./prune.js')).prune,
  compact: async () => (await import('./compact.js')).compact,
  backup: async () => (await import('./backup.js')).backup,
  verify: async () => (await import('./verify.js')).verify,
  reconcile: async () => (await import('./reconcile.js')).reconcile,
  export: async () => (await import('./export.js')).exportCommand,
  stream: async () => (await import('./stream.js')).stream,
  keystore: async () => (await import('./keystore.js')).keystore,
  status: async () => (await import('./status.js')).status,
  doctor: async () => (await import('./doctor.js')).doctor,
  completion: async () => (await import('./completion.js')).completion,
  man: async () => (await import('./man.js')).man,
  'test-driver': async () => (await import('./test-driver.js')).testDriver,
};
