import { spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { PATIENCE_MS } from '../../../support/patience.js';

/** The part of the `ws` package that is used. */
interface WebSocket {
  on(event: 'open', listener: () => void): void;
  on(event: 'message', listener: (data: Buffer) => void): void;
  send(text: string): void;
}

const WebSocket = createRequire(import.meta.url)('ws') as new (url: string) => WebSocket;

const OPTIONS = ['--headless', '--no-sandbox', '--disable-gpu', '--remote-debugging-port=0'];

/** A page in Chromium, in real time, asked over its debugging port. */
export class BrowserPage {
  private readonly socket: WebSocket;
  private readonly end: () => Promise<void>;
  private readonly answers = new Map<number, (value: unknown) => void>();
  private asked = 0;

  private constructor(socket: WebSocket, end: () => Promise<void>) {
    this.socket = socket;
    this.end = end;
    socket.on('message', (data) => {
      const { id, result } = JSON.parse(String(data)) as { id?: number; result?: { result?: { value?: unknown } } };
      if (id !== undefined) this.answers.get(id)?.(result?.result?.value);
    });
  }

  /** @param profile an empty folder */
  static async open(address: string, profile: string): Promise<BrowserPage> {
    const child = spawn('chromium', [...OPTIONS, `--user-data-dir=${profile}`, address], {
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
    const end = async (): Promise<void> => {
      child.kill('SIGKILL');
      await ended;
    };
    let port: string | undefined;
    for await (const line of createInterface({ input: child.stderr })) {
      port = /^DevTools listening on ws:\/\/[^:]+:(\d+)\//.exec(line)?.[1];
      if (port !== undefined) break;
    }
    child.stderr.resume();
    for (const limit = Date.now() + PATIENCE_MS; Date.now() < limit; await sleep(100)) {
      const pages = (await (await fetch(`http://127.0.0.1:${port}/json`)).json()) as readonly {
        readonly type: string;
        readonly url: string;
        readonly webSocketDebuggerUrl: string;
      }[];
      const found = pages.find(({ type, url }) => type === 'page' && url.startsWith(address));
      if (found === undefined) continue;
      const socket = new WebSocket(found.webSocketDebuggerUrl);
      await new Promise<void>((resolve) => socket.on('open', () => resolve()));
      return new BrowserPage(socket, end);
    }
    await end();
    throw new Error(`the browser does not open ${address}`);
  }

  /** Value of an expression in the page. */
  ask<T>(expression: string): Promise<T> {
    const id = ++this.asked;
    return new Promise((resolve) => {
      this.answers.set(id, (value) => {
        this.answers.delete(id);
        resolve(value as T);
      });
      const params = { expression, returnByValue: true, awaitPromise: true };
      this.socket.send(JSON.stringify({ id, method: 'Runtime.evaluate', params }));
    });
  }

  /** Waits until an expression is true in the page. @throws {Error} after a minute, with the page's text */
  async until(expression: string): Promise<void> {
    for (const limit = Date.now() + PATIENCE_MS; Date.now() < limit; await sleep(100))
      if ((await this.ask<unknown>(expression)) === true) return;
    throw new Error(`waited for ${expression} in: ${await this.ask<string>('document.body.innerText')}`);
  }

  close(): Promise<void> {
    return this.end();
  }
}
