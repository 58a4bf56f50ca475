import type { Logger } from 'pino';
import type { LogEntry } from '../../../log/log-entry.js';
import { present } from '../../../primitives/assert.js';
import type { Ledger } from '../../../projections/ledger/ledger.js';
import type { PortView } from '../../servers.js';
import { type BlockWithReceipts, contentOf } from '../block-results.js';

/** A block was added to the chain of a view, or reverted. */
export interface ChainEvent {
  readonly isUndone: boolean;
  readonly content: BlockWithReceipts;
}

type ChainEventListener = (event: ChainEvent) => void;

/** Emits chain events in the order of the log. Follows the log only while there are listeners. */
export class ChainEvents {
  private readonly ledger: Ledger;
  private readonly log: Logger;
  private readonly listeners: Readonly<Record<'head' | 'solidified', Set<ChainEventListener>>> = {
    head: new Set(),
    solidified: new Set(),
  };
  private following: AbortController | undefined;

  constructor(ledger: Ledger, log: Logger) {
    this.ledger = ledger;
    this.log = log;
  }

  /** Subscribes to all later events. @returns a function that ends the subscription */
  listen(view: PortView, listener: ChainEventListener): () => void {
    const listeners = this.listeners[view === 'head' ? 'head' : 'solidified'];
    listeners.add(listener);
    if (this.following === undefined) this.start();
    return () => {
      listeners.delete(listener);
      if (this.listeners.head.size + this.listeners.solidified.size === 0) this.close();
    };
  }

  close(): void {
    this.following?.abort();
    this.following = undefined;
  }

  private start(): void {
    const ended = new AbortController();
    this.following = ended;
    this.follow(ended.signal).catch((error) => {
      this.log.error({ err: error, api: 'jsonrpc' }, 'chain subscription failed');
      if (this.following === ended) this.following = undefined;
    });
  }

  private async follow(signal: AbortSignal): Promise<void> {
    const { ledger } = this;
    let solidified = ledger.position.solidifiedNumber;
    for await (const entry of ledger.entries({ fromSeq: ledger.storedSeq + 1, signal })) {
      if (signal.aborted) return;
      if (entry.kind !== 'solidified') this.tellHead(entry);
      else {
        for (let number = solidified + 1; number <= entry.number; number++) this.tellSolidified(number);
        solidified = Math.max(solidified, entry.number);
      }
    }
  }

  private tellHead(entry: LogEntry): void {
    if (this.listeners.head.size === 0) return;
    const block =
      entry.kind === 'applied'
        ? entry
        : present(this.ledger.entryOfId(entry.id), 'the log has an entry for this block');
    const event = { isUndone: entry.kind === 'reverted', content: contentOf({ block: () => block }, entry.number) };
    for (const listener of [...this.listeners.head]) listener(event);
  }

  private tellSolidified(number: number): void {
    if (this.listeners.solidified.size === 0 || this.ledger.block(number) === undefined) return;
    const event = { isUndone: false, content: contentOf(this.ledger, number) };
    for (const listener of [...this.listeners.solidified]) listener(event);
  }
}
