import { release472 } from './release-4.7.2.js';
import { release482 } from './release-4.8.2.js';
/** The releases of the reference that a node can be, oldest first. */
export const releases = [release472, release482];
/** The release of a name; undefined when there is none. */
export function releaseNamed(name) {
    return releases.find((release) => release.name === name);
}
//# sourceMappingURL=index.js.map