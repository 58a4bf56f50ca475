import { constants, setPriority } from 'node:os';

/**
 * Lowers the priority of the calling thread, so that the other threads of the node get processor time first. Does
 * nothing on systems other than Linux, because a priority belongs to the whole process there.
 */
export function lowerPriority(): void {
  if (process.platform === 'linux') setPriority(constants.priority.PRIORITY_BELOW_NORMAL);
}
