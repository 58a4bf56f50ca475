import { createRequire } from 'node:module';

/** The part of the `ws` package that the tests use. The package has no types. */
export interface WebSocket {
  on(event: 'open' | 'close', listener: () => void): void;
  on(event: 'error', listener: (error: Error) => void): void;
  on(event: 'message', listener: (data: Buffer) => void): void;
  send(text: string): void;
  /** Stops reading from the connection. */
  pause(): void;
  resume(): void;
  close(): void;
  /** Ends the connection without a closing handshake. */
  terminate(): void;
}

export const WebSocket = createRequire(import.meta.url)('ws') as new (url: string, protocol?: string) => WebSocket;
