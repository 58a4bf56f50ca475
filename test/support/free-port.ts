import { createServer } from 'node:net';

/**
 * Ports below those that the system gives to outgoing connections: one that is free stays so until somebody listens on
 * it.
 */
const [FIRST, COUNT] = [20_000, 10_000];

/** A port that nobody listens on. */
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
