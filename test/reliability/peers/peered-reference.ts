import { toHex } from '../../../src/primitives/bytes.js';
import { JavaProcess } from '../reference/java-process.js';

/** How a node is: what both have in common. */
export interface NodeFacts {
  readonly head: number;
  readonly id: string;
  /** Transactions. */
  readonly waiting: number;
  /** Height of the newest block that enough witnesses voted for. */
  readonly agreed: number;
  /** Connections that count. */
  readonly connected: number;
}

/** A java-tron with peers, driven by `reference/PeeredNode.java`: a line in, a line out. */
export class PeeredReference {
  private readonly java: JavaProcess;

  private constructor(java: JavaProcess) {
    this.java = java;
  }

  /** @param reference folder of a compiled java-tron @param folder holds `config.conf`; the data lies below it */
  static async start(reference: string, folder: string, flags: readonly string[]): Promise<PeeredReference> {
    const node = new PeeredReference(new JavaProcess('PeeredNode', reference, folder, flags));
    await node.java.answer();
    return node;
  }

  async facts(): Promise<NodeFacts> {
    return (await this.order('facts')).facts;
  }

  async push(block: Uint8Array): Promise<void> {
    await this.order(`push ${toHex(block)}`);
  }

  /**
   * Produces a block of the pending transactions, announces it and applies it.
   * @returns the block, or the reason why there is none
   */
  async make(key: Uint8Array, witness: Uint8Array, timeMs: number): Promise<string> {
    return (await this.order(`make ${toHex(key)} ${toHex(witness)} ${timeMs}`)).note;
  }

  /** Takes a transaction as of a client. @returns the code of its answer */
  async offer(transaction: Uint8Array): Promise<string> {
    return (await this.order(`tx ${toHex(transaction)}`)).note;
  }

  /** One look of ResilienceService, of 4.8.2. @param name of its method */
  async look(name: string): Promise<void> {
    await this.order(`look ${name}`);
  }

  /** Parts from all peers, as when it ends. */
  async part(): Promise<void> {
    await this.order('part');
  }

  stop(): void {
    this.java.stop();
  }

  private async order(line: string): Promise<{ readonly facts: NodeFacts; readonly note: string }> {
    const [, head, id = '', ...more] = await this.java.ask(line);
    const [waiting = 0, agreed = 0, connected = 0] = more.slice(0, 3).map(Number);
    return { facts: { head: Number(head), id, waiting, agreed, connected }, note: more[3] ?? '' };
  }
}
