import { stat } from 'node:fs/promises';
import type { Logger } from 'pino';
import { loadConfig, type NodeConfig, type PeerLists } from '../config/load-config.js';

/** ms until the first look at the file. Reference: DynamicArgs.init. */
const FIRST_MS = 10_000;
const SECOND_MS = 1000;

interface ReloadOptions {
  readonly config: NodeConfig;
  /** The file has changed, and is right. */
  readonly changed: (lists: PeerLists) => Promise<void>;
  readonly log: Logger;
  /** ms until the first look; for tests. */
  readonly firstMs?: number;
}

/**
 * Reads `node.active` and `node.passive` again when the configuration file has changed; a broken file changes nothing and is looked at
 * again in the next round. Reference: DynamicArgs. @returns ends it
 */
export function reloadNodes({ config, changed, log, firstMs = FIRST_MS }: ReloadOptions): () => void {
  const { file, node } = config;
  let readMs = Date.now();
  let timer: NodeJS.Timeout | undefined;
  const look = async (): Promise<void> => {
    const { mtimeMs } = await stat(file);
    if (mtimeMs <= readMs) return;
    const { peers } = loadConfig({ file }).config;
    await changed(peers);
    readMs = mtimeMs;
    log.info({ file, active: peers.active.length, passive: peers.passive.length }, 'nodes are read again');
  };
  const round = (): void => {
    look()
      .catch((error: unknown) => {
        const reason = error instanceof Error ? error.message : String(error);
        log.error({ file, reason }, 'the changed configuration cannot be used, nothing changes');
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
