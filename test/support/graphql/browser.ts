import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { EVENT_TIMEOUT_MS } from '../event-timeout.js';
import { WebSocket } from '../web-socket.js';

/**
 * Command line options of Chromium. On machines with little shared memory, Chromium exits without
 * `--disable-dev-shm-usage`.
 */
const OPTIONS = ['--headless', '--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage', '--remote-debugging-port=0'];
/** Maximum number of starts of a browser that exits before the page loads. */
const STARTS_MAX = 3;
/** Time limit in ms for a condition in a loaded page. On a slow machine, a page with new data needs a few seconds. */
const PAGE_LIMIT_MS = 60_000;

const GONE = 'the browser has exited';

/** A page in Chromium, controlled over the debugging port. Its timers run in real time. */
export class BrowserPage {
  private readonly socket: WebSocket;
  private readonly end: () => Promise<void>;
  private readonly answers = new Map<number, { resolve(value: unknown): void; reject(error: Error): void }>();
  private lastId = 0;
  private isGone = false;

  private constructor(socket: WebSocket, end: () => Promise<void>) {
    this.socket = socket;
    this.end = end;
    socket.on('message', (data) => {
      const { id, result } = JSON.parse(String(data)) as { id?: number; result?: unknown };
      if (id !== undefined) this.answers.get(id)?.resolve(result);
    });
    socket.on('error', () => undefined);
    socket.on('close', () => {
      this.isGone = true;
      for (const { reject } of this.answers.values()) reject(new Error(GONE));
    });
  }

  /**
   * Opens a page.
   * @param profile an empty folder for Chromium's data
   * @throws {Error} no browser is installed, or every started browser exits
   */
  static async open(address: string, profile: string): Promise<BrowserPage> {
    for (let start = 1; ; start++) {
      const page = await BrowserPage.start(address, join(profile, String(start)));
      if (page !== undefined) return page;
      if (start === STARTS_MAX) throw new Error(`the browser does not open ${address}`);
    }
  }

  private static async start(address: string, profile: string): Promise<BrowserPage | undefined> {
    const child = spawn('chromium', [...OPTIONS, `--user-data-dir=${profile}`, address], {
      stdio: ['ignore', 'ignore', 'pipe'],
      // Starts a process group. The child processes of the browser also write to the profile, so they must end with the
      // browser.
      detached: true,
    });
    let isRunning = true;
    const ended = new Promise<void>((resolve) =>
      child.once('exit', () => {
        isRunning = false;
        resolve();
      }),
    );
    const end = async (): Promise<void> => {
      if (isRunning && child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
      await ended;
    };
    let port: string | undefined;
    for await (const line of createInterface({ input: child.stderr })) {
      port = /^DevTools listening on ws:\/\/[^:]+:(\d+)\//.exec(line)?.[1];
      if (port !== undefined) break;
    }
    child.stderr.resume();
    for (const limit = Date.now() + EVENT_TIMEOUT_MS; isRunning && Date.now() < limit; await sleep(100)) {
      const found = (await pagesOf(port)).find(({ type, url }) => type === 'page' && url.startsWith(address));
      if (found === undefined) continue;
      const socket = new WebSocket(found.webSocketDebuggerUrl);
      const isOpen = await new Promise<boolean>((resolve) => {
        socket.on('open', () => resolve(true));
        socket.on('close', () => resolve(false));
        socket.on('error', () => resolve(false));
      });
      if (isOpen) return new BrowserPage(socket, end);
    }
    await end();
    return undefined;
  }

  /** Evaluates a JavaScript expression in the page and returns its value. @throws {Error} the browser has exited */
  async evaluate<T>(expression: string): Promise<T> {
    const params = { expression, returnByValue: true, awaitPromise: true };
    const answer = await this.send<{ readonly result?: { readonly value?: unknown } }>('Runtime.evaluate', params);
    return answer?.result?.value as T;
  }

  /** Sets the size of the page in CSS pixels. Below a width of 500, the browser emulates a phone. */
  async resize(width: number, height: number): Promise<void> {
    const deviceScaleFactor = 1;
    await this.send('Emulation.setDeviceMetricsOverride', { width, height, deviceScaleFactor, mobile: width < 500 });
  }

  /** Sets the color scheme that the page reads as the preference of the user. */
  async prefer(scheme: 'light' | 'dark'): Promise<void> {
    await this.send('Emulation.setEmulatedMedia', { features: [{ name: 'prefers-color-scheme', value: scheme }] });
  }

  /** Returns a screenshot of the whole page as PNG. */
  async screenshot(): Promise<Buffer> {
    const options = { format: 'png', captureBeyondViewport: true };
    const { data } = await this.send<{ readonly data: string }>('Page.captureScreenshot', options);
    return Buffer.from(data, 'base64');
  }

  /**
   * Sends a command of the debugging protocol.
   * @throws {Error} the browser has exited
   */
  private send<T>(method: string, params: object): Promise<T> {
    if (this.isGone) return Promise.reject(new Error(GONE));
    const id = ++this.lastId;
    return new Promise((resolve, reject) => {
      this.answers.set(id, {
        resolve: (value) => {
          this.answers.delete(id);
          resolve(value as T);
        },
        reject,
      });
      this.socket.send(JSON.stringify({ id, method, params }));
    });
  }

  /**
   * Waits until an expression is true in the page.
   * @throws {Error} the time limit is over; the message has the text of the page
   */
  async until(expression: string): Promise<void> {
    for (const limit = Date.now() + PAGE_LIMIT_MS; Date.now() < limit; await sleep(100))
      if ((await this.evaluate<unknown>(expression)) === true) return;
    throw new Error(`waited for ${expression} in: ${await this.evaluate<string>('document.body.innerText')}`);
  }

  close(): Promise<void> {
    return this.end();
  }
}

interface DebuggedPage {
  readonly type: string;
  readonly url: string;
  readonly webSocketDebuggerUrl: string;
}

/** Returns the open pages; an empty list if the browser does not answer. */
async function pagesOf(port: string | undefined): Promise<readonly DebuggedPage[]> {
  try {
    return (await (await fetch(`http://127.0.0.1:${port}/json`)).json()) as readonly DebuggedPage[];
  } catch {
    return [];
  }
}
