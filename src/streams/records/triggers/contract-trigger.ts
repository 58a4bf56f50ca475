import type { TransactionInfoLog } from '../../../codec/generated/messages.js';
import {
  type AbiEvent,
  decodeData,
  decodeTopics,
  type EventValues,
  eventValues,
} from '../../../encoding/abi/decode-event.js';
import type { NamedLog } from '../../../encoding/abi/event-decoder.js';
import { addressText, wordAddressText } from '../../../encoding/address-text.js';
import { present } from '../../../primitives/assert.js';
import { EMPTY_BYTES, toHex } from '../../../primitives/bytes.js';
import { TRIGGER_FRAMES, type Trigger } from '../../event-kinds.js';
import type { BlockContent } from '../../follow/block-content.js';
import type { ContractFacts } from '../abi-registry.js';
import type { EventObject } from '../event-value.js';

/** A contract log with the data that its payloads need. */
export interface ContractLog {
  readonly block: BlockContent;
  readonly transactionId: string;
  /** Number of the log in its transaction, from 1. */
  readonly logNumber: number;
  /** Address bytes of the transaction's sender. */
  readonly origin: Uint8Array;
  readonly log: TransactionInfoLog;
  readonly facts: ContractFacts;
  /**
   * Event decoded with the operator's ABI; undefined if this ABI has no such event. Events of the chain's ABI are
   * decoded later, with java-tron's rules (`decodedAsReference`).
   */
  readonly named: NamedLog | undefined;
  readonly addressPrefix: number;
  /** Value of `event.subscribe.contractParse`: true to decode logs with ABIs. */
  readonly parses: boolean;
  /**
   * True since release 4.8.2, which does not decode truncated data. Earlier releases pad truncated data with zeros, see
   * {@link decodeData}.
   */
  readonly isStrict: boolean;
  /** True if the block of the log was reverted. */
  readonly removed: boolean;
}

type ContractTriggerName = Extract<Trigger, 'contractevent' | 'contractlog' | 'solidityevent' | 'soliditylog'>;

/** Returns the Base58Check address of the contract that emitted the log. */
export function contractAddressOf({ log, addressPrefix }: ContractLog): string {
  return wordAddressText(log.address, addressPrefix);
}

/** Returns true if an ABI has the event of the log. All other logs are sent without decoded values. */
export function isEvent({ log, facts, named, parses }: ContractLog): boolean {
  if (!parses) return false;
  return named !== undefined || (log.topics[0] !== undefined && facts.events.has(toHex(log.topics[0])));
}

/** Creates an event trigger. Reference: ContractEventTrigger. */
export function eventTrigger(trigger: 'contractevent' | 'solidityevent', log: ContractLog): EventObject {
  const { event, topicMap, dataMap } = log.named === undefined ? decodedAsReference(log) : decodedInFull(log.named);
  return {
    ...head(trigger, log),
    eventSignature: event.signature,
    eventSignatureFull: event.signatureFull,
    eventName: event.name,
    topicMap: new Map(topicMap),
    dataMap: new Map(dataMap),
  };
}

/** Values of an event by parameter name and by position. */
interface DecodedEvent {
  readonly event: AbiEvent;
  /** Values of the indexed parameters, by name and by position. */
  readonly topicMap: EventValues;
  /** Values of the other parameters, by name and by position. */
  readonly dataMap: EventValues;
}

function decodedAsReference({ log: { topics, data }, facts, addressPrefix, isStrict }: ContractLog): DecodedEvent {
  const event = present(facts.events.get(toHex(topics[0] ?? EMPTY_BYTES)), 'isEvent has found the event');
  return {
    event,
    topicMap: decodeTopics(event, { topics, data }, addressPrefix),
    dataMap: decodeData(event, { topics, data }, addressPrefix, isStrict),
  };
}

/** Returns the values of an event as text. Lists and structs are written as JSON. */
function decodedInFull({ event, parameters }: NamedLog): DecodedEvent {
  const values = parameters.map(({ name, value }, position) => {
    const text = typeof value === 'string' ? value : JSON.stringify(value);
    return { name, position, text, indexed: event.inputs[position]?.indexed === true };
  });
  return {
    event,
    topicMap: eventValues(values.filter(({ indexed }) => indexed)),
    dataMap: eventValues(values.filter(({ indexed }) => !indexed)),
  };
}

/** Creates a log trigger. Reference: ContractLogTrigger. */
export function logTrigger(trigger: 'contractlog' | 'soliditylog', log: ContractLog): EventObject {
  const { topics, data } = log.log;
  return { ...head(trigger, log), topicList: topics, data };
}

function head(trigger: ContractTriggerName, contractLog: ContractLog): EventObject {
  const { block, transactionId, logNumber, origin, log, facts, removed } = contractLog;
  const { address, topics, data } = log;
  return {
    timeStamp: block.timeMs,
    triggerName: TRIGGER_FRAMES[trigger],
    uniqueId: `${transactionId}_${logNumber}`,
    transactionId,
    contractAddress: contractAddressOf(contractLog),
    callerAddress: '',
    originAddress: addressText(origin),
    creatorAddress: addressText(facts.creator.length === 0 ? origin : facts.creator),
    blockNumber: block.number,
    blockHash: block.id,
    removed,
    latestSolidifiedBlockNumber: block.solidifiedBefore,
    logInfo: null,
    rawData: { address, topics, data },
    abi: null,
  };
}
