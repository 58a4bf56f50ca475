import type { TransactionInfoLog } from '../../codec/generated/messages.js';
import type { NamedLog } from '../../encoding/abi/event-decoder.js';
import { type OperatorAbi, type OperatorAbis, withOperatorAbis } from '../../encoding/abi/operator-abis.js';
import { addressText, wordAddressText } from '../../encoding/address-text.js';
import { EMPTY_BYTES, fromHex, toHex, toInt64 } from '../../primitives/bytes.js';
import { onFirstUse } from '../../primitives/on-first-use.js';
import { chainProperties } from '../../projections/chain-properties.js';
import type { Ledger } from '../../projections/ledger/ledger.js';
import type { RowChange } from '../../projections/state/state-reader.js';
import { storeId } from '../../projections/state/stores.js';
import { energyPriceAt } from '../../state-transition/resources/energy-price.js';
import { CHANGE_TRIGGERS, type EventTrigger, TRANSFER_TRIGGER, type Trigger } from '../event-kinds.js';
import type { BlockContent, StreamedTransaction } from '../follow/block-content.js';
import type { ChangesReader } from '../follow/past-changes.js';
import { SinkError } from '../sink-error.js';
import type { ContractFacts } from './abi-registry.js';
import type { BranchAbiRegistry } from './branch-abi-registry.js';
import { type EventOptions, needsAbiRegistry } from './event-options.js';
import type { EventRecord } from './event-record.js';
import type { EventObject } from './event-value.js';
import { movementsOf } from './transfers/block-movements.js';
import { ALL_TRANSFERS, transferRecords } from './transfers/transfer-event.js';
import { blockTrigger, solidityTrigger } from './triggers/block-trigger.js';
import { stateChanges } from './triggers/change-trigger.js';
import { type ContractLog, contractAddressOf, eventTrigger, isEvent, logTrigger } from './triggers/contract-trigger.js';
import { createEventFilter, type TriggerFilter } from './triggers/event-filter.js';
import { transactionTrigger, writesResults } from './triggers/transaction-trigger.js';

export interface EventMakerOptions {
  readonly ledger: Ledger;
  readonly sink: Omit<EventOptions, 'payload'>;
  /** Reader of row changes, including pruned ones. Default: the ledger, which has only stored changes. */
  readonly changes?: ChangesReader;
  readonly addressPrefix: number;
  /** Address (hex) of the black hole account. */
  readonly blackhole: string;
  /** ABIs that the operator added. Each block is decoded with the newest ABIs. */
  readonly abis?: OperatorAbis | undefined;
  /** Value of `event.subscribe.contractParse`: true to decode logs with ABIs. */
  readonly parsesContracts: boolean;
  /**
   * Value of `laterTriggers` of the emulated release. If true, malformed log data is rejected, and transaction events
   * have more fields.
   */
  readonly laterTriggers: boolean;
}

/** An event record before it is encoded as text. */
export interface MadeEvent extends Pick<EventRecord, 'key' | 'block'> {
  readonly trigger: EventTrigger;
  readonly event: EventObject;
}

/** Creates the events of a block. Kinds of events to which the sink has not subscribed are omitted. */
export class EventMaker {
  private readonly options: EventMakerOptions;
  private readonly topics: ReadonlySet<Trigger>;
  private readonly hasChanges: boolean;
  private readonly passes: TriggerFilter;
  private readonly branch: BranchAbiRegistry | undefined;

  /** Creates a maker. @param branch ABIs that decode contract logs */
  constructor(options: EventMakerOptions, branch: BranchAbiRegistry | undefined) {
    const { sink } = options;
    this.options = options;
    this.topics = new Set(sink.topics);
    this.hasChanges = CHANGE_TRIGGERS.some((trigger) => this.topics.has(trigger));
    this.passes = createEventFilter(sink.filter);
    this.branch = branch;
  }

  /**
   * Returns the decoded events, then the logs that no ABI decodes. If `redundancy` contains the trigger that the
   * parameter `log` names, decoded events are also returned as logs.
   */
  logsByKind(
    logs: readonly ContractLog[],
    event: 'contractevent' | 'solidityevent',
    log: 'contractlog' | 'soliditylog',
  ): MadeEvent[] {
    const events = logs.filter(isEvent);
    const others = logs.filter((one) => !isEvent(one));
    const asLogs = [...others, ...(this.isRedundant(log) ? events : [])];
    return [
      ...(this.topics.has(event) ? events.map((one) => this.contractRecord(event, one, eventTrigger(event, one))) : []),
      ...(this.topics.has(log) ? asLogs.map((one) => this.contractRecord(log, one, logTrigger(log, one))) : []),
    ];
  }

  /**
   * Returns the logs of a block that pass the sink's filter, with the ABIs of their contracts. Returns an empty list if
   * no subscribed kind of event contains logs.
   */
  logsOf(block: BlockContent, removed = false): ContractLog[] {
    if (!needsAbiRegistry(this.options.sink)) return [];
    const { addressPrefix, parsesContracts: parses, laterTriggers: isStrict } = this.options;
    const logs: ContractLog[] = [];
    const factsOf = this.factsIn(block);
    for (const [index, transaction] of block.transactions.entries()) {
      const entries = transaction.info?.log ?? [];
      if (entries.length === 0) continue;
      const origin = ownerOf(transaction);
      for (const [at, log] of entries.entries()) {
        const address = Buffer.concat([Uint8Array.of(addressPrefix), log.address]);
        const known = factsOf(address, index);
        const operatorAbi = this.options.abis?.of(toHex(address));
        const facts = { ...known, events: withOperatorAbis(known.events, operatorAbi?.events) };
        const named = parses && operatorAbi !== undefined ? this.namedBy(operatorAbi, log, known) : undefined;
        const transactionId = transaction.idHex;
        const own = { block, transactionId, logNumber: at + 1, origin, log, facts, named, removed };
        const contractLog = { ...own, addressPrefix, parses, isStrict };
        const topics = log.topics.map(toHex);
        if (this.passes({ blockNumber: block.number, contractAddress: contractAddressOf(contractLog), topics }))
          logs.push(contractLog);
      }
    }
    return logs;
  }

  /**
   * Decodes a log with the operator's ABI. Tries the anonymous events of the operator's ABI only if the chain's ABI has
   * no matching event.
   */
  private namedBy({ decoder }: OperatorAbi, log: TransactionInfoLog, { events }: ContractFacts): NamedLog | undefined {
    const addressOf = (hex: string): string => wordAddressText(fromHex(hex), this.options.addressPrefix);
    const named = decoder.decode(log, addressOf);
    const [topic] = log.topics;
    if (named !== undefined || (topic !== undefined && events.has(toHex(topic)))) return named;
    return decoder.decodeAnonymous(log, addressOf);
  }

  /**
   * Returns a function that finds creator and ABI of a contract as they are after the transaction at `index`. For a
   * sink with the option `polled`, the function returns their values after the whole block. Reference:
   * BlockEventGet.parseLogs.
   */
  private factsIn(block: BlockContent): (address: Uint8Array, index: number) => ContractFacts {
    const { sink, ledger, changes = ledger } = this.options;
    const { branch } = this;
    const { number, seq } = block;
    if (sink.polled !== true) return (address, index) => branch?.factsAt(address, { number, index }) ?? NOTHING_KNOWN;
    const ended = onFirstUse(() => contractsEndedBy(changes.changes(seq)?.rows ?? []));
    return (address) => {
      if (ended().has(toHex(address))) return NOTHING_KNOWN;
      return branch?.factsAt(address, { number, index: Number.MAX_SAFE_INTEGER }) ?? NOTHING_KNOWN;
    };
  }

  solidityLogs(logs: readonly ContractLog[]): MadeEvent[] {
    if (!this.topics.has('soliditylog')) return [];
    return logs
      .filter((log) => !isEvent(log) || this.isRedundant('soliditylog'))
      .map((log) => this.contractRecord('soliditylog', log, logTrigger('soliditylog', log)));
  }

  solidityEvents(logs: readonly ContractLog[]): MadeEvent[] {
    if (!this.topics.has('solidityevent')) return [];
    return logs
      .filter(isEvent)
      .map((log) => this.contractRecord('solidityevent', log, eventTrigger('solidityevent', log)));
  }

  contractRecords(logs: readonly ContractLog[]): MadeEvent[] {
    const records: MadeEvent[] = [];
    for (const log of logs) {
      const matches = isEvent(log);
      if (matches && this.topics.has('contractevent'))
        records.push(this.contractRecord('contractevent', log, eventTrigger('contractevent', log)));
      if ((!matches || this.isRedundant('contractlog')) && this.topics.has('contractlog'))
        records.push(this.contractRecord('contractlog', log, logTrigger('contractlog', log)));
    }
    return records;
  }

  private isRedundant(trigger: Trigger): boolean {
    return this.options.sink.redundancy?.includes(trigger) === true;
  }

  blockRecords(block: BlockContent, isRemoved = false): MadeEvent[] {
    if (!this.topics.has('block')) return [];
    const event = blockTrigger(block, this.options.laterTriggers ? isRemoved : undefined);
    return [{ trigger: 'block', key: block.id, event }];
  }

  /** Returns the events for changes of the state. @throws {SinkError} the row changes of the block were deleted */
  changeRecords(block: BlockContent, removed: boolean): MadeEvent[] {
    if (!this.hasChanges) return [];
    const { key } = this.options.sink;
    return stateChanges(block, this.changedRows(block), removed)
      .filter(({ trigger }) => this.topics.has(trigger))
      .map(({ trigger, address, event }) => ({ trigger, key: key === 'transaction' ? block.id : address, event }));
  }

  /**
   * Returns the movements of TRX and tokens in a block.
   * @throws {SinkError} the row changes of the block were deleted
   */
  transferRecords(block: BlockContent, removed: boolean): MadeEvent[] {
    if (!this.topics.has(TRANSFER_TRIGGER)) return [];
    const { ledger, sink, addressPrefix, blackhole } = this.options;
    const { transfer: options = ALL_TRANSFERS, finality = 'solidified' } = sink;
    const isGenesis = block.number === 0;
    if (isGenesis && !options.genesis) return [];
    const { head } = ledger;
    const rows = isGenesis ? [] : this.changedRows(block);
    const movements = movementsOf(block, { rows, head, addressPrefix, blackhole });
    const records = transferRecords(block, movements, { removed, finality, options, head });
    return records.map(({ key, event }) => ({ trigger: TRANSFER_TRIGGER, key, event }));
  }

  /** Returns the rows that a block changed. @throws {SinkError} these changes were deleted */
  private changedRows(block: BlockContent): readonly RowChange[] {
    const { ledger, changes: reader = ledger } = this.options;
    const changes = reader.changes(block.seq);
    if (changes !== undefined) return changes.rows;
    throw new SinkError(
      `block ${block.number}: cannot create stake, vote, balance and transfer events because the row changes of the block were ` +
        'deleted; increase tronicle.history.retention',
    );
  }

  solidityRecords(block: BlockContent): MadeEvent[] {
    return this.topics.has('solidity') ? [{ trigger: 'solidity', key: block.id, event: solidityTrigger(block) }] : [];
  }

  private contractRecord(trigger: EventTrigger, log: ContractLog, event: EventObject): MadeEvent {
    const { key } = this.options.sink;
    const text =
      key === 'contract' ? contractAddressOf(log) : key === 'account' ? addressText(log.origin) : log.transactionId;
    return { trigger, key: text, event };
  }

  transactionRecords(block: BlockContent, isRemoved = false): MadeEvent[] {
    if (!this.topics.has('transaction')) return [];
    const { sink, laterTriggers } = this.options;
    // java-tron writes the default format if a block has no receipts, as is the case for genesis.
    const isEth = sink.ethCompatible === true && block.number !== 0;
    const energyUnitPrice = isEth ? this.energyPriceAt(block.timeMs) : 0n;
    const hasOwnResults = writesResults(block, () => toInt64(this.property('ALLOW_CREATION_OF_CONTRACTS')) === 1n);
    let energyUsedBefore = 0n;
    let logsBefore = 0;
    return block.transactions.map((transaction, index) => {
      const position = isEth ? { index, energyUsedBefore, logsBefore, energyUnitPrice } : undefined;
      const { event, contractAddress, fromAddress } = transactionTrigger(block, transaction, {
        ...(position === undefined ? {} : { position }),
        asReference: sink.asReference === true,
        polled: sink.polled === true,
        hasOwnResults,
        ...(laterTriggers && { removed: isRemoved }),
      });
      energyUsedBefore += transaction.info?.receipt?.energyUsageTotal ?? 0n;
      logsBefore += transaction.info?.log.length ?? 0;
      const account = sink.key === 'account' ? (fromAddress ?? addressText(ownerOf(transaction))) : undefined;
      const key = (sink.key === 'contract' ? contractAddress : account) ?? transaction.idHex;
      return { trigger: 'transaction' as const, key, event };
    });
  }

  private energyPriceAt(timeMs: bigint): bigint {
    const newest = toInt64(this.property('ENERGY_FEE'));
    return energyPriceAt({ history: this.property('ENERGY_PRICE_HISTORY'), newest }, timeMs);
  }

  private property(name: string): Uint8Array {
    return chainProperties.at(this.options.ledger.head).bytes(name);
  }
}

const CONTRACT = storeId('contract');
const NOTHING_KNOWN: ContractFacts = { creator: EMPTY_BYTES, events: new Map() };

/** Returns the addresses (hex) of the contracts that a block deleted. */
function contractsEndedBy(rows: readonly RowChange[]): ReadonlySet<string> {
  const ended = rows.filter(({ store, after }) => store === CONTRACT && after === undefined);
  return new Set(ended.map(({ key }) => toHex(key)));
}

/** Returns the address bytes of the owner of a transaction. */
function ownerOf({ parameter }: StreamedTransaction): Uint8Array {
  return (parameter as { ownerAddress?: Uint8Array } | undefined)?.ownerAddress ?? EMPTY_BYTES;
}
