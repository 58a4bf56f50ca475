import { type ChildProcess, spawn } from 'node:child_process';
import { openSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { toHex } from '../../../src/domain/bytes.js';
import { compileDriver } from '../reference/compiled.js';

const FLAGS = [
  ...['-Xmx1500m', '-XX:+UseSerialGC', '-XX:TieredStopAtLevel=1'],
  ...['--add-opens', 'java.base/java.lang=ALL-UNNAMED', '--add-opens', 'java.base/java.util=ALL-UNNAMED'],
];

/** How a node is: what both have in common. */
export interface NodeFacts {
  readonly head: number;
  readonly id: string;
  /** Transactions. */
  readonly waiting: number;
}

/** A java-tron with peers, driven by `reference/PeeredNode.java`: a line in, a line out. */
export class PeeredReference {
  private readonly child: ChildProcess;
  private readonly lines: AsyncIterator<string>;
  private readonly folder: string;

  private constructor(child: ChildProcess, folder: string) {
    this.child = child;
    this.folder = folder;
    if (child.stdout === null) throw new Error('no output');
    this.lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  }

  /** @param reference folder of a compiled java-tron @param folder holds `config.conf`; the data lies below it */
  static async start(reference: string, folder: string): Promise<PeeredReference> {
    const path = compileDriver('PeeredNode', reference, folder);
    const args = [...FLAGS, '-cp', path, 'PeeredNode', '-d', join(folder, 'java'), '-c', join(folder, 'config.conf')];
    const child = spawn('java', args, {
      cwd: folder,
      stdio: ['pipe', 'pipe', openSync(join(folder, 'java.err'), 'w')],
    });
    const node = new PeeredReference(child, folder);
    await node.next();
    return node;
  }

  async facts(): Promise<NodeFacts> {
    return (await this.order('facts')).facts;
  }

  async push(block: Uint8Array): Promise<void> {
    await this.order(`push ${toHex(block)}`);
  }

  /** Makes a block of what waits, tells its peers and takes it. @returns the block, or why there is none */
  async make(key: Uint8Array, witness: Uint8Array, timeMs: number): Promise<string> {
    return (await this.order(`make ${toHex(key)} ${toHex(witness)} ${timeMs}`)).note;
  }

  /** Takes a transaction as of a client. @returns the code of its answer */
  async offer(transaction: Uint8Array): Promise<string> {
    return (await this.order(`tx ${toHex(transaction)}`)).note;
  }

  stop(): void {
    this.child.kill('SIGKILL');
  }

  private order(line: string): Promise<{ readonly facts: NodeFacts; readonly note: string }> {
    this.child.stdin?.write(`${line}\n`);
    return this.next();
  }

  private async next(): Promise<{ readonly facts: NodeFacts; readonly note: string }> {
    for (;;) {
      const { value, done } = await this.lines.next();
      if (done === true) throw new Error(`the reference ended; see ${this.folder}`);
      const [word, head, id = '', waiting, note = ''] = (value as string).split(' ');
      if (word === 'head') return { facts: { head: Number(head), id, waiting: Number(waiting) }, note };
    }
  }
}
