import type { Duplex } from 'node:stream';
import { type ByteBudget, ByteGroup, type ByteShare, type DropReason } from '../../../primitives/byte-budget.js';
import { UnfinishedMessage } from './unfinished-message.js';

/**
 * Memory of the messages of one WebSocket connection: of the message that is arriving, and of complete messages that
 * the server still needs.
 */
export class MessageMemory {
  private readonly budget: ByteBudget;
  private readonly drop: (reason: DropReason) => void;
  private readonly group = new ByteGroup();
  private readonly unfinished = new UnfinishedMessage();
  private readonly needed = new Set<ByteShare>();
  /** Share of the budget for the message that is arriving; undefined between messages. */
  private arriving: ByteShare | undefined;
  private isClosed = false;

  /**
   * @param socket connection below the WebSocket
   * @param drop called when the budget is exceeded or a message does not arrive in time; must close the connection
   */
  constructor(socket: Duplex, budget: ByteBudget, drop: (reason: DropReason) => void) {
    this.budget = budget;
    this.drop = drop;
    socket.on('data', (chunk: Buffer) => {
      this.unfinished.add(chunk);
      this.arrived(chunk.length);
    });
  }

  /** Counts a complete message. @returns a function to call when the server no longer needs the message */
  need(bytes: number): () => void {
    if (this.isClosed) return () => undefined;
    // The library emits a message before this object has counted the last bytes of the message. Therefore, the message
    // counts as completely received from here on.
    this.endArrival();
    const share = this.budget.open({ group: this.group, drop: this.drop });
    share.stopClock();
    this.needed.add(share);
    share.set(bytes);
    return () => {
      this.needed.delete(share);
      share.close();
    };
  }

  /** Returns all memory to the budget. Called when the connection is closed. */
  close(): void {
    this.isClosed = true;
    this.arriving?.close();
    for (const share of this.needed) share.close();
    this.needed.clear();
  }

  private arrived(received: number): void {
    const { bytes } = this.unfinished;
    if (this.isClosed) return;
    if (bytes > 0) {
      this.arriving ??= this.budget.open({ group: this.group, drop: this.drop });
      this.arriving.set(bytes, received);
    } else this.endArrival();
  }

  private endArrival(): void {
    this.arriving?.close();
    this.arriving = undefined;
  }
}
