import { createServer } from 'node:net';

/** Range below the ports for outgoing connections. A free port stays free until a process listens on it. */
const [FIRST, COUNT] = [20_000, 10_000];

/** Returns a port without a listener. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = FIRST + Math.floor(Math.random() * COUNT);
    const isFree = await new Promise<boolean>((resolve) => {
      const server = createServer();
      server.once('error', () => resolve(false));
      server.listen(port, () => server.close(() => resolve(true)));
    });
    if (isFree) return port;
  }
}
