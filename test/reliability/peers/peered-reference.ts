import { toHex } from '../../../src/primitives/bytes.js';
import { JavaProcess } from '../reference/java-process.js';

/** State that is compared between both nodes. */
export interface NodeFacts {
  readonly head: number;
  readonly id: string;
  /** Number of pending transactions. */
  readonly pending: number;
  /** Height of the newest block with enough votes of witnesses (PBFT). */
  readonly agreed: number;
  /** Number of connections that count toward the connection limits. */
  readonly connected: number;
}

/**
 * A java-tron process with peers that `reference/PeeredNode.java` controls. It reads one line per command and writes
 * one line per answer.
 */
export class PeeredReference {
  private readonly java: JavaProcess;

  private constructor(java: JavaProcess) {
    this.java = java;
  }

  /**
   * @param reference folder of a compiled java-tron
   * @param folder folder with `config.conf`; the data is stored there too
   */
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
   * Produces a block from the pending transactions, announces it and applies it.
   * @returns the encoded block in hex, or the reason why no block was produced
   */
  async make(key: Uint8Array, witness: Uint8Array, timeMs: number): Promise<string> {
    return (await this.order(`make ${toHex(key)} ${toHex(witness)} ${timeMs}`)).note;
  }

  /** Submits a transaction as a client does. @returns the name of the result code */
  async offer(transaction: Uint8Array): Promise<string> {
    return (await this.order(`tx ${toHex(transaction)}`)).note;
  }

  /** Runs one check of ResilienceService once. Only in 4.8.2. @param name name of the Java method */
  async checkPeers(name: string): Promise<void> {
    await this.order(`look ${name}`);
  }

  /** Disconnects all peers, as java-tron does when it stops. */
  async disconnect(): Promise<void> {
    await this.order('part');
  }

  stop(): void {
    this.java.stop();
  }

  private async order(line: string): Promise<{ readonly facts: NodeFacts; readonly note: string }> {
    const [, head, id = '', ...more] = await this.java.request(line);
    const [pending = 0, agreed = 0, connected = 0] = more.slice(0, 3).map(Number);
    return { facts: { head: Number(head), id, pending, agreed, connected }, note: more[3] ?? '' };
  }
}
