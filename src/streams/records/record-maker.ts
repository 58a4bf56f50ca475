import { present } from '../../primitives/assert.js';
import type { Trigger } from '../event-kinds.js';
import { type BlockContent, readBlockContent, readBlockEntry } from '../follow/block-content.js';
import type { LogMove, MoveForm } from '../follow/log-moves.js';
import type { SolidBlock } from '../follow/solid-blocks.js';
import type { AbiRegistry } from './abi-registry.js';
import { BranchAbiRegistry } from './branch-abi-registry.js';
import { jsonOf } from './event-json.js';
import { EventMaker, type EventsOptions, type MadeEvent } from './event-maker.js';
import { type EventOptions, needsAbiRegistry, needsChanges } from './event-options.js';
import type { BlockRecords, EventRecord } from './event-record.js';
import { toEventMessage } from './protobuf/event-messages.js';

export interface RecordsOptions extends EventsOptions {
  readonly sink: EventsOptions['sink'] & Partial<Pick<EventOptions, 'payload'>>;
  /** Needed for contract events and logs only. */
  readonly book: AbiRegistry | undefined;
}

/**
 * Makes a sink's records of blocks. The same block gives the same records, whenever it is read, while no other ABI is
 * given.
 */
export class RecordMaker {
  private readonly options: RecordsOptions;
  private readonly events: EventMaker;
  private readonly branch: BranchAbiRegistry | undefined;

  constructor(options: RecordsOptions) {
    const { book, ledger } = options;
    this.options = options;
    this.branch = book && new BranchAbiRegistry(book, ledger);
    this.events = new EventMaker(options, this.branch);
  }

  /** Before {@link recordsOf}: what it needs of changes that are no longer kept is executed again. */
  async prepare({ entry }: SolidBlock, signal: AbortSignal): Promise<void> {
    const { ledger, changes, book, sink } = this.options;
    if (changes === undefined || !needsChanges(sink)) return;
    while (book !== undefined && needsAbiRegistry(sink) && book.height + 1 < entry.number) {
      const missing = present(ledger.block(book.height + 1), 'the log has every block below');
      await changes.prepare(missing, signal);
      if (missing.number === book.height + 1) book.fold(readBlockEntry(changes, missing));
    }
    await changes.prepare(entry, signal);
  }

  /**
   * Of an irreversible block, in the reference's order of one push (Manager.postSolidityTrigger first): what waited for
   * solidification, contract events and logs, block, transactions, solidity.
   */
  recordsOf(solid: SolidBlock): BlockRecords {
    const { ledger, changes = ledger } = this.options;
    const block = readBlockContent(changes, solid);
    this.branch?.solidified(block);
    const logs = this.events.logsOf(block);
    const records = [
      ...this.events.solidityLogs(logs),
      ...this.events.solidityEvents(logs),
      ...this.events.contractRecords(logs),
      ...this.events.blockRecords(block),
      ...this.events.transactionRecords(block),
      ...this.events.changeRecords(block, false),
      ...this.events.solidityRecords(block),
    ];
    const { seq, number, id, parentId } = block;
    return { seq, number, id, parentId, readAt: Date.now(), ...this.written(records) };
  }

  /** What {@link recordsOfMove} reads. */
  get form(): MoveForm {
    const { sink, laterTriggers } = this.options;
    return { wholeSwitches: laterTriggers, polled: sink.polled === true };
  }

  /** Of an entry of the log: a block that joins, one that is taken back, blocks that become irreversible. */
  recordsOfMove(move: LogMove): BlockRecords {
    const records = this.options.sink.polled === true ? this.polledRecords(move) : this.pushedRecords(move);
    const { change, seq, number, id, block } = move;
    return { seq, number, id, parentId: block?.parentId ?? '', readAt: Date.now(), change, ...this.written(records) };
  }

  /** In the order in which the reference's execution of a block comes to them (event service 0). */
  private pushedRecords(move: LogMove): MadeEvent[] {
    const { change, number, block, solid } = move;
    const { events } = this;
    const records: MadeEvent[] = [];
    const removed = change === 'reverted';
    const transactions = this.ownTransactions(move);
    if (block !== undefined) {
      if (change === 'applied') this.branch?.applied(block);
      records.push(...events.contractRecords(events.logsOf(block, removed)));
      if (removed) this.branch?.reverted(number);
      if (this.isTold(change) && !this.isLate('block')) records.push(...events.blockRecords(block, removed));
      if (!this.waitsForBlocks) records.push(...transactions);
      records.push(...events.changeRecords(block, removed));
    }
    for (const one of solid) this.branch?.solidified(one);
    const logs = solid.map((one) => [one, events.logsOf(one)] as const);
    const late: MadeEvent[] = [];
    if (this.isLate('block')) for (const one of solid) late.push(...of(one, events.blockRecords(one)));
    if (this.waitsForBlocks) late.push(...transactions);
    if (this.isLate('transaction')) for (const one of solid) late.push(...of(one, events.transactionRecords(one)));
    // Reference: Manager.postSolidityTrigger, which began with them in a later release.
    if (this.options.laterTriggers) records.push(...late);
    for (const [one, list] of logs) records.push(...of(one, events.solidityLogs(list)));
    for (const [one, list] of logs) records.push(...of(one, events.solidityEvents(list)));
    if (!this.options.laterTriggers) records.push(...late);
    for (const one of solid) records.push(...of(one, events.solidityRecords(one)));
    return records;
  }

  /** Whether the reference tells of a block that joined or was taken back as such. */
  private isTold(change: LogMove['change']): boolean {
    return change === 'applied' || (change === 'reverted' && this.options.laterTriggers);
  }

  /** Transactions that are told at once: with their block, or behind blocks that it made irreversible. */
  private ownTransactions({ change, block, cause, isFollowed }: LogMove): MadeEvent[] {
    if (this.isLate('transaction')) return [];
    if (change === 'solidified')
      return cause !== undefined && this.waitsForBlocks ? of(cause, this.events.transactionRecords(cause)) : [];
    if (block === undefined || !this.isTold(change) || (isFollowed === true && this.waitsForBlocks)) return [];
    return this.events.transactionRecords(block, change === 'reverted');
  }

  /**
   * Reference: Manager.postBlockTrigger, which first told all blocks, those too that are told when they are
   * irreversible.
   */
  private get waitsForBlocks(): boolean {
    return !this.options.laterTriggers && this.isLate('block') && !this.isLate('transaction');
  }

  /** Kind by kind, block by block. Reference: RealtimeEventService.flush, SolidEventService.flush. */
  private polledRecords({ change, number, block, solid }: LogMove): MadeEvent[] {
    const records: MadeEvent[] = [];
    if (block !== undefined) {
      const removed = change === 'reverted';
      if (change === 'applied') this.branch?.applied(block);
      const logs = this.events.logsOf(block, removed);
      if (removed) this.branch?.reverted(number);
      if (!this.isLate('block')) records.push(...this.events.blockRecords(block, removed));
      if (!this.isLate('transaction')) records.push(...this.events.transactionRecords(block, removed));
      records.push(
        ...this.events.logsByKind(logs, 'contractevent', 'contractlog'),
        ...this.events.changeRecords(block, removed),
      );
    }
    for (const one of solid) {
      this.branch?.solidified(one);
      const logs = this.events.logsOf(one);
      if (this.isLate('block')) records.push(...of(one, this.events.blockRecords(one)));
      if (this.isLate('transaction')) records.push(...of(one, this.events.transactionRecords(one)));
      records.push(...of(one, this.events.logsByKind(logs, 'solidityevent', 'soliditylog')));
      records.push(...of(one, this.events.solidityRecords(one)));
    }
    return records;
  }

  /** Whether a kind waits until its block is irreversible. */
  private isLate(trigger: Trigger): boolean {
    return this.options.sink.solidified?.includes(trigger) === true;
  }

  private written(made: readonly MadeEvent[]): Pick<BlockRecords, 'records' | 'count'> {
    const { only } = this.options.sink;
    if (only === undefined) return { records: made.map((one) => this.inForm(one)) };
    const records = made.flatMap((one, index) => (only.includes(one.trigger) ? [{ ...this.inForm(one), index }] : []));
    return { records, count: made.length };
  }

  /** Members one by one: the rest of an object, and a copy of it, cost as much as the JSON text. */
  private inForm({ trigger, key, block, event }: MadeEvent): EventRecord {
    if (this.options.sink.payload === 'protobuf') {
      const { schema, bytes } = toEventMessage(trigger, event);
      return { trigger, key, schema, payload: bytes, ...(block && { block }) };
    }
    const payload = jsonOf(event);
    return block === undefined ? { trigger, key, payload } : { trigger, key, payload, block };
  }
}

function of({ number, id, parentId }: BlockContent, records: readonly MadeEvent[]): MadeEvent[] {
  return records.map((record) => ({ ...record, block: { number, id, parentId } }));
}
