import { createServer } from 'node:net';

/**
 * First port and number of ports of the range. The range is below the ports that the system uses for outgoing
 * connections, so that no outgoing connection can take a port of the range.
 */
const [FIRST, COUNT] = [20_000, 10_000];

/** Ports that this process has received. A test can request several ports before it starts the first listener. */
const returned = new Set<number>();

/** Returns a port that has no listener and that no earlier call in this process has returned. */
export function freePort(): Promise<number> {
  return freePorts(1);
}

/** Returns the first of `count` consecutive ports that have no listener and that no earlier call has returned. */
export async function freePorts(count: number): Promise<number> {
  for (;;) {
    const first = FIRST + Math.floor(Math.random() * (COUNT - count));
    let free = 0;
    while (free < count && !returned.has(first + free) && (await isFree(first + free))) free++;
    if (free < count) continue;
    for (let port = first; port < first + count; port++) returned.add(port);
    return first;
  }
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer((socket) => socket.destroy());
    server.once('error', () => resolve(false));
    server.listen(port, () => server.close(() => resolve(true)));
  });
}
