import type { NodeConfig } from './load-config.js';

/** What is set and does nothing here, each one sentence. */
export function inertKeys({ node }: NodeConfig): readonly string[] {
  const set: readonly (readonly [key: string, isSet: boolean, instead: string])[] = [
    ['node.dns.publish', node.dns.publish !== undefined, 'no tree is published'],
  ];
  return set.filter(([, isSet]) => isSet).map(([key, , instead]) => `${key} has no effect here: ${instead}`);
}
