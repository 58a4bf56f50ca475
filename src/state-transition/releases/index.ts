import type { Release } from './release.js';
import { release472 } from './release-4.7.2.js';
import { release4822 } from './release-4.8.2.2.js';
import { release4823 } from './release-4.8.2.3.js';
import { release482 } from './release-4.8.2.js';

/** The releases of the reference that a node can be, oldest first. */
export const releases: readonly [Release, ...Release[]] = [release472, release482, release4822, release4823];

/** The release of a name; undefined when there is none. */
export function releaseNamed(name: string): Release | undefined {
  return releases.find((release) => release.name === name);
}
