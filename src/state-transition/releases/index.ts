import type { Release } from './release.js';
import { release472 } from './release-4.7.2.js';
import { release4822 } from './release-4.8.2.2.js';
import { release4823 } from './release-4.8.2.3.js';
import { release482 } from './release-4.8.2.js';

/** Releases of java-tron that this node can emulate, oldest first. */
export const releases: readonly [Release, ...Release[]] = [release472, release482, release4822, release4823];

/** Returns the release with a name; undefined if it is unknown. */
export function releaseNamed(name: string): Release | undefined {
  return releases.find((release) => release.name === name);
}
