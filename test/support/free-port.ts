import { createServer, type Server } from 'node:net';

/**
 * First port and number of ports of the range. The range is below the ports that the system uses for outgoing
 * connections, so that no outgoing connection can take a port of the range.
 */
const [FIRST, COUNT] = [20_000, 10_000];
/** Ports of a block, including the port that reserves the block. */
const BLOCK = 100;

/** The ports that this process has reserved and not returned yet. */
const reserved = { next: FIRST, end: FIRST };
/** Serialises the calls, because concurrent calls would return the same ports. */
let last: Promise<unknown> = Promise.resolve();

/** Returns a port that has no listener and that no other call returns, in this or another test process. */
export function freePort(): Promise<number> {
  return freePorts(1);
}

/**
 * Returns the first of `count` consecutive ports that have no listener and that no other call returns. A test can
 * request ports a long time before it starts the listeners, and tests run side by side. So each test process reserves
 * blocks of ports: it listens on the first port of a block until it ends.
 * @throws {RangeError} `count` exceeds the size of a block
 */
export function freePorts(count: number): Promise<number> {
  if (count >= BLOCK) throw new RangeError(`at most ${BLOCK - 1} consecutive ports`);
  const ports = last.then(() => takePorts(count));
  last = ports;
  return ports;
}

async function takePorts(count: number): Promise<number> {
  for (;;) {
    const first = reserved.next;
    if (first + count > reserved.end) await reserveBlock();
    else {
      let free = 0;
      while (free < count && (await isFree(first + free))) free++;
      if (free === count) {
        reserved.next = first + count;
        return first;
      }
      reserved.next = first + free + 1;
    }
  }
}

async function reserveBlock(): Promise<void> {
  for (;;) {
    const first = FIRST + Math.floor(Math.random() * (COUNT / BLOCK)) * BLOCK;
    const server = await listenOn(first);
    if (server === undefined) continue;
    server.unref();
    reserved.next = first + 1;
    reserved.end = first + BLOCK;
    return;
  }
}

async function isFree(port: number): Promise<boolean> {
  const server = await listenOn(port);
  if (server === undefined) return false;
  await new Promise((resolve) => server.close(resolve));
  return true;
}

/** Listens on a port. Resolves to undefined if the port is not free. */
function listenOn(port: number): Promise<Server | undefined> {
  return new Promise((resolve) => {
    const server = createServer((socket) => socket.destroy());
    server.once('error', () => resolve(undefined));
    server.listen(port, () => resolve(server));
  });
}
