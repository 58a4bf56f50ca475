import { present } from '../../primitives/assert.js';
import type { EventTrigger, Trigger } from '../event-kinds.js';
import { type BlockContent, readBlockContent, readBlockEntry } from '../follow/block-content.js';
import type { LogMove, MoveForm } from '../follow/log-moves.js';
import type { SolidBlock } from '../follow/solid-blocks.js';
import type { AbiRegistry } from './abi-registry.js';
import { toAvroValue } from './avro/avro-value.js';
import { BranchAbiRegistry } from './branch-abi-registry.js';
import { jsonOf } from './event-json.js';
import { EventMaker, type EventMakerOptions, type MadeEvent } from './event-maker.js';
import { type EventOptions, needsAbiRegistry, needsChanges } from './event-options.js';
import type { BlockRecords, EncodedEvent, EventRecord, PayloadSchema } from './event-record.js';
import type { EventObject } from './event-value.js';
import { toEventMessage } from './protobuf/event-messages.js';

export interface RecordMakerOptions extends EventMakerOptions {
  readonly sink: EventMakerOptions['sink'] & Partial<Pick<EventOptions, 'payload'>>;
  /** ABIs of contracts. Needed only for contract events and logs. */
  readonly book: AbiRegistry | undefined;
}

/**
 * Creates the records of a sink from blocks. A block always results in the same records, unless the operator changes an
 * ABI.
 */
export class RecordMaker {
  private readonly options: RecordMakerOptions;
  private readonly events: EventMaker;
  private readonly branch: BranchAbiRegistry | undefined;

  constructor(options: RecordMakerOptions) {
    const { book, ledger } = options;
    this.options = options;
    this.branch = book && new BranchAbiRegistry(book, ledger);
    this.events = new EventMaker(options, this.branch);
  }

  /** Makes pruned row changes available by executing blocks again. Must be called before {@link recordsOf}. */
  async prepare({ entry }: SolidBlock, signal: AbortSignal): Promise<void> {
    const { ledger, changes, book, sink } = this.options;
    if (changes === undefined || !needsChanges(sink)) return;
    while (book !== undefined && needsAbiRegistry(sink) && book.height + 1 < entry.number) {
      const missing = present(ledger.block(book.height + 1), 'the log contains every block below');
      await changes.prepare(missing, signal);
      if (missing.number === book.height + 1) book.fold(readBlockEntry(changes, missing));
    }
    await changes.prepare(entry, signal);
  }

  /**
   * Returns the records of a solidified block, in the order in which java-tron sends them for one imported block:
   * solidified logs and events (Manager.postSolidityTrigger), contract events and logs, the block, transactions,
   * solidity.
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
      ...this.events.transferRecords(block, false),
      ...this.events.solidityRecords(block),
    ];
    const { seq, number, id, parentId } = block;
    return { seq, number, id, parentId, timeMs: Number(block.timeMs), readAt: Date.now(), ...this.written(records) };
  }

  /** Rules for reading the log, which select and order the changes that this sink reports. */
  get form(): MoveForm {
    const { sink, laterTriggers } = this.options;
    return { wholeSwitches: laterTriggers, polled: sink.polled === true };
  }

  /** Returns the records of a log entry. The entry applied a block, reverted a block, or solidified blocks. */
  recordsOfMove(move: LogMove): BlockRecords {
    const records = this.options.sink.polled === true ? this.polledRecords(move) : this.pushedRecords(move);
    const { change, seq, number, id, block } = move;
    const own = { parentId: block?.parentId ?? '', ...(block && { timeMs: Number(block.timeMs) }) };
    return { seq, number, id, ...own, readAt: Date.now(), change, ...this.written(records) };
  }

  /**
   * Returns the records of a log entry, in java-tron's order with `event.subscribe.version = 0`. That version sends
   * events during block execution.
   */
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
      if (this.isReported(change) && !this.isLate('block')) records.push(...events.blockRecords(block, removed));
      if (!this.waitsForBlocks) records.push(...transactions);
      records.push(...events.changeRecords(block, removed), ...events.transferRecords(block, removed));
    }
    records.push(...this.genesisTransfers(solid));
    for (const one of solid) this.branch?.solidified(one);
    const logs = solid.map((one) => [one, events.logsOf(one)] as const);
    const late: MadeEvent[] = [];
    if (this.isLate('block')) for (const one of solid) late.push(...of(one, events.blockRecords(one)));
    if (this.waitsForBlocks) late.push(...transactions);
    if (this.isLate('transaction')) for (const one of solid) late.push(...of(one, events.transactionRecords(one)));
    // Later releases of java-tron send the records in `late` before the solidity records. Reference:
    // Manager.postSolidityTrigger.
    if (this.options.laterTriggers) records.push(...late);
    for (const [one, list] of logs) records.push(...of(one, events.solidityLogs(list)));
    for (const [one, list] of logs) records.push(...of(one, events.solidityEvents(list)));
    if (!this.options.laterTriggers) records.push(...late);
    for (const one of solid) records.push(...of(one, events.solidityRecords(one)));
    return records;
  }

  /** Returns true if the release reports this kind of change. Earlier releases do not report reverted blocks. */
  private isReported(change: LogMove['change']): boolean {
    return change === 'applied' || (change === 'reverted' && this.options.laterTriggers);
  }

  /**
   * Returns the transaction records to send with this log entry. Depending on the release, transaction records are sent
   * with their block, or after the records of the blocks that this block solidified.
   */
  private ownTransactions({ change, block, cause, isFollowed }: LogMove): MadeEvent[] {
    if (this.isLate('transaction')) return [];
    if (change === 'solidified')
      return cause !== undefined && this.waitsForBlocks ? of(cause, this.events.transactionRecords(cause)) : [];
    if (block === undefined || !this.isReported(change) || (isFollowed === true && this.waitsForBlocks)) return [];
    return this.events.transactionRecords(block, change === 'reverted');
  }

  /**
   * True if java-tron sends the transaction records of a block last, after the block records of all blocks that this
   * block solidified. Reference: Manager.postBlockTrigger
   */
  private get waitsForBlocks(): boolean {
    return !this.options.laterTriggers && this.isLate('block') && !this.isLate('transaction');
  }

  /**
   * Returns the records of a log entry, in java-tron's order with `event.subscribe.version = 1`: by trigger within each
   * block. Reference: RealtimeEventService.flush, SolidEventService.flush.
   */
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
        ...this.events.transferRecords(block, removed),
      );
    }
    records.push(...this.genesisTransfers(solid));
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

  /** Returns the initial balances. They are sent when genesis is solidified, because genesis is never applied. */
  private genesisTransfers(solid: readonly BlockContent[]): MadeEvent[] {
    return solid
      .filter(({ number }) => number === 0)
      .flatMap((block) => of(block, this.events.transferRecords(block, false)));
  }

  /** Returns true if a trigger is sent only when its block is solidified. */
  private isLate(trigger: Trigger): boolean {
    return this.options.sink.solidified?.includes(trigger) === true;
  }

  private written(events: readonly MadeEvent[]): Pick<BlockRecords, 'records' | 'count'> {
    const { only } = this.options.sink;
    if (only === undefined) return { records: events.map((one) => this.inForm(one)) };
    const records = events.flatMap((one, index) =>
      only.includes(one.trigger) ? [{ ...this.inForm(one), index }] : [],
    );
    return { records, count: events.length };
  }

  /**
   * Returns a record in the sink's format. Copies fields one by one, because an object spread takes as long as writing
   * the JSON text.
   */
  private inForm({ trigger, key, block, event }: MadeEvent): EventRecord {
    const format = this.options.sink.payload ?? 'json';
    if (format !== 'json') {
      const { schema, payload } = ENCODERS[format](trigger, event);
      return { trigger, key, schema, payload, ...(block && { block }) };
    }
    const payload = jsonOf(event);
    return block === undefined ? { trigger, key, payload } : { trigger, key, payload, block };
  }
}

/** Encoders of the binary formats. */
const ENCODERS: Readonly<Record<PayloadSchema['format'], (trigger: EventTrigger, event: EventObject) => EncodedEvent>> =
  { protobuf: toEventMessage, avro: toAvroValue };

function of({ number, id, parentId, timeMs }: BlockContent, records: readonly MadeEvent[]): MadeEvent[] {
  const block = { number, id, parentId, timeMs: Number(timeMs) };
  return records.map((record) => ({ ...record, block }));
}
