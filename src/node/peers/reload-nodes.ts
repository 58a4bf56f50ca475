import { stat } from 'node:fs/promises';
import type { Logger } from 'pino';
import { type ChangedPeerLists, changedPeerLists, type NodeConfig } from '../../config/load-config.js';
import { SECOND_MS } from '../../primitives/units.js';

/** ms until the first look at the file. Reference: DynamicArgs.init. */
const FIRST_MS = 10_000;

interface ReloadOptions {
  readonly config: NodeConfig;
  /** The file is another one than before. @throws {UsageError} what is wrong with it */
  readonly changed: (lists: ChangedPeerLists) => Promise<void>;
  readonly log: Logger;
  /** ms until the first look; for tests. */
  readonly firstMs?: number;
}

/**
 * Reads `node.active` and `node.passive` again when the configuration file has another time than when the node began,
 * and a later one; a broken file is looked at again in the next round. Reference: DynamicArgs. @returns ends it
 */
export async function reloadNodes({ config, changed, log, firstMs = FIRST_MS }: ReloadOptions): Promise<() => void> {
  const { file, node } = config;
  let readMs = await timeOf(file);
  let timer: NodeJS.Timeout | undefined;
  const look = async (): Promise<void> => {
    const foundMs = await timeOf(file);
    if (foundMs <= readMs) return;
    await changed(changedPeerLists(config));
    readMs = foundMs;
    log.info({ file }, 'nodes are read again');
  };
  const round = (): void => {
    look()
      .catch((error: unknown) => {
        const reason = error instanceof Error ? error.message : String(error);
        log.error({ file, reason }, 'the changed configuration cannot be used');
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

/** ms, without what is below them. */
async function timeOf(file: string): Promise<number> {
  return Math.trunc((await stat(file)).mtimeMs);
}
