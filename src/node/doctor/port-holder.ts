import { readdirSync, readFileSync, readlinkSync } from 'node:fs';

interface PortHolder {
  readonly pid: number;
  /** Start of the process's command line. */
  readonly command: string;
}

/** State of a listening socket in `/proc/net/tcp`. */
const LISTENING = '0A';
const COMMAND_CHARACTERS_MAX = 60;

/**
 * Returns the process that listens on a TCP port, from Linux's `/proc`. Returns undefined on other systems, or if the
 * process belongs to a different user or container.
 */
export function portHolder(port: number): PortHolder | undefined {
  const sockets = new Set(['/proc/net/tcp', '/proc/net/tcp6'].flatMap((file) => listenersOf(file, port)));
  if (sockets.size === 0) return undefined;
  for (const name of orElse(() => readdirSync('/proc'), [])) {
    if (!/^\d+$/.test(name) || !hasSocket(name, sockets)) continue;
    const words = orElse(() => readFileSync(`/proc/${name}/cmdline`, 'utf8'), '').split('\0');
    return { pid: Number(name), command: words.join(' ').trim().slice(0, COMMAND_CHARACTERS_MAX) || 'unknown program' };
  }
  return undefined;
}

/** Returns the inodes of the sockets that listen on a port. @param file table of sockets, such as `/proc/net/tcp` */
function listenersOf(file: string, port: number): string[] {
  const hex = port.toString(16).toUpperCase().padStart(4, '0');
  return orElse(() => readFileSync(file, 'utf8'), '')
    .split('\n')
    .map((line) => line.trim().split(/\s+/))
    .filter(([, local = '', , state]) => state === LISTENING && local.endsWith(`:${hex}`))
    .flatMap((fields) => fields[9] ?? []);
}

function hasSocket(pid: string, inodes: ReadonlySet<string>): boolean {
  const folder = `/proc/${pid}/fd`;
  return orElse(() => readdirSync(folder), []).some((fd) => {
    const inode = /^socket:\[(\d+)\]$/.exec(orElse(() => readlinkSync(`${folder}/${fd}`), ''))?.[1];
    return inode !== undefined && inodes.has(inode);
  });
}

/**
 * Returns the result of `read`, or `otherwise` if `read` throws. Reads of `/proc` throw if the process has ended or
 * belongs to a different user.
 */
function orElse<T>(read: () => T, otherwise: T): T {
  try {
    return read();
  } catch {
    return otherwise;
  }
}
