import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { present } from '../../../src/primitives/assert.js';
import { flagsOf } from '../../conformance/recording.js';
import { cpuMsOf } from '../../support/cpu-clock.js';
import { freePort } from '../../support/free-port.js';
import { compileDriver } from '../reference/compiled.js';
import type { Ports } from './question.js';

/**
 * Options of the Java virtual machine. With these options, a NullPointerException has the text of Java 8, and the
 * JIT compiler does not remove the texts of frequent exceptions.
 */
const JAVA = [
  '-Xmx1500m',
  '-XX:-ShowCodeDetailsInExceptionMessages',
  '-XX:-OmitStackTraceInFastThrow',
  ...['--add-opens', 'java.base/java.lang=ALL-UNNAMED', '--add-opens', 'java.base/java.util=ALL-UNNAMED'],
];

/** Configuration keys of the ports, by server. */
const PORT_KEYS = {
  http: { fullnode: 'fullNodePort', solidity: 'solidityPort', pbft: 'PBFTPort' },
  jsonrpc: { fullnode: 'httpFullNodePort', solidity: 'httpSolidityPort', pbft: 'httpPBFTPort' },
  grpc: { fullnode: 'port', solidity: 'solidityPort', pbft: 'PBFTPort' },
} as const;

/**
 * A java-tron process that serves all interfaces on free ports and accepts blocks. It reads one line per command and
 * writes one line per answer.
 */
export class ReferenceNode {
  readonly ports: Ports;
  private readonly child: ChildProcess;
  private readonly lines: AsyncIterator<string>;

  private constructor(child: ChildProcess, ports: Ports) {
    this.child = child;
    this.ports = ports;
    if (child.stdout === null) throw new Error('no output');
    this.lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  }

  /**
   * @param reference folder of a compiled java-tron
   * @param folder folder for its data
   * @param options `more`: lines after the configuration of the recording; `program`: name of the program in the folder
   * `test/reliability/reference` that runs java-tron
   */
  static async start(
    reference: string,
    folder: string,
    recording: string,
    { more = '', program = 'ServedNode' } = {},
  ): Promise<ReferenceNode> {
    mkdirSync(folder, { recursive: true });
    const ports: Record<string, Record<string, number>> = {};
    let text = readFileSync(join(recording, 'config.conf'), 'utf8');
    for (const [protocol, keys] of Object.entries(PORT_KEYS)) {
      const chosen: Record<string, number> = {};
      ports[protocol] = chosen;
      for (const [server, key] of Object.entries(keys)) {
        const port = await freePort();
        chosen[server] = port;
        const section = protocol === 'grpc' ? 'rpc' : protocol;
        text = text.replace(new RegExp(`(\\b${section} \\{[^}]*\\b${key} = )\\d+`), `$1${port}`);
      }
    }
    const file = join(folder, 'config.conf');
    writeFileSync(file, `${text}\n${more}\n`);
    const path = compileDriver(program, reference, folder);
    const flags = ['-d', join(folder, 'java'), '-c', file, '--p2p-disable', 'true'];
    // Sets the time limit of constant calls. Without this option, java-tron would use the limit of the machine on
    // which the recording was made.
    const args = [
      ...JAVA,
      '-cp',
      path,
      program,
      ...flags,
      ...(flagsOf(recording).includes('--debug') ? ['--debug'] : []),
    ];
    const child = spawn('java', args, { cwd: folder, stdio: ['pipe', 'pipe', 'ignore'] });
    const node = new ReferenceNode(child, ports as Ports);
    await node.next();
    return node;
  }

  /** Pushes a block. @returns `head <number> <id>`, the head after the push */
  push(block: Buffer): Promise<string> {
    this.child.stdin?.write(`${block.toString('hex')}\n`);
    return this.next();
  }

  /** Sets the height that is confirmed by PBFT. */
  async vote(height: number): Promise<void> {
    this.child.stdin?.write(`voted ${height}\n`);
    await this.next();
  }

  /**
   * Waits until the node has received the block at a height. Only for a solidity node.
   * @returns `head <number> <id>`, the head at that time
   */
  until(height: number): Promise<string> {
    this.child.stdin?.write(`${height}\n`);
    return this.next();
  }

  /** Returns the CPU time of the process so far, in µs. Available only on Linux. */
  cpuUs(): number {
    return cpuMsOf(present(this.child.pid, 'started')) * 1000;
  }

  stop(): void {
    this.child.kill('SIGKILL');
  }

  private async next(): Promise<string> {
    for (;;) {
      const { value, done } = await this.lines.next();
      if (done === true) throw new Error('java-tron ended; its log is logs/tron.log');
      if (/^head /.test(value)) return value;
    }
  }
}
