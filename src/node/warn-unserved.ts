import type { Logger } from 'pino';
import type { NodeConfig } from './config/load-config.js';

/** Says once, at the start, which switched-on keys ask for something that this node does not do yet. */
export function warnUnserved(config: NodeConfig, log: Logger): void {
  const { node } = config;
  const asked: readonly (readonly [key: string, isOn: boolean])[] = [
    ['node.metrics.storageEnable', node.metrics.storageEnable],
  ];
  for (const [key, isOn] of asked) if (isOn) log.warn(`${key} has no effect in this release`);
}
