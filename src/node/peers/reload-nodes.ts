import { stat } from 'node:fs/promises';
import type { Logger } from 'pino';
import { type ChangedPeerLists, changedPeerLists, type NodeConfig } from '../../config/load-config.js';
import { errorText } from '../../primitives/errors.js';
import { SECOND_MS } from '../../primitives/units.js';

/** Delay before the first check of the file, in ms. Reference: DynamicArgs.init. */
const FIRST_MS = 10_000;

interface ReloadOptions {
  readonly config: NodeConfig;
  /** Called after the file has changed. @throws {UsageError} the new file is invalid */
  readonly changed: (lists: ChangedPeerLists) => Promise<void>;
  readonly log: Logger;
  /** Delay before the first check, in ms. Tests set a shorter delay. */
  readonly firstMs?: number;
}

/**
 * Reloads `node.active` and `node.passive` when the modification time of the configuration file has increased. If the
 * file is invalid, tries again at the next check. Reference: DynamicArgs.
 * @returns a function that stops the checks
 */
export async function reloadNodes({ config, changed, log, firstMs = FIRST_MS }: ReloadOptions): Promise<() => void> {
  const { file, node } = config;
  let readMs = await timeOf(file);
  let timer: NodeJS.Timeout | undefined;
  const check = async (): Promise<void> => {
    const foundMs = await timeOf(file);
    if (foundMs <= readMs) return;
    await changed(changedPeerLists(config));
    readMs = foundMs;
    log.info({ file }, 'peer lists reloaded');
  };
  const round = (): void => {
    check()
      .catch((error: unknown) => {
        const reason = errorText(error);
        log.error({ file, reason }, 'peer lists not reloaded');
      })
      .finally(() => {
        if (timer !== undefined) timer = setTimeout(round, node.dynamicConfig.checkInterval * SECOND_MS);
      });
  };
  timer = setTimeout(round, firstMs);
  return () => {
    clearTimeout(timer);
    timer = undefined;
  };
}

/** Returns the modification time in whole ms. */
async function timeOf(file: string): Promise<number> {
  return Math.trunc((await stat(file)).mtimeMs);
}
