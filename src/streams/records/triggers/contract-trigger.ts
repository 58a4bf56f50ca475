import type { TransactionInfoLog } from '../../../codec/generated/messages.js';
import { decodeData, decodeTopics, type EventValues } from '../../../content/abi/decode-event.js';
import { addressText, wordAddressText } from '../../../content/address-text.js';
import { EMPTY_BYTES, toHex } from '../../../domain/bytes.js';
import { TRIGGER_FRAMES, type Trigger } from '../../event-kinds.js';
import type { BlockContent } from '../../follow/block-content.js';
import type { ContractFacts } from '../contract-book.js';
import { jsonHexList, jsonText } from './json-text.js';

/** A log of a smart contract with all that its payloads say. */
export interface ContractLog {
  readonly block: BlockContent;
  readonly transactionId: string;
  /** From 1 in its transaction. */
  readonly place: number;
  /** Address bytes of the transaction's sender. */
  readonly origin: Uint8Array;
  readonly log: TransactionInfoLog;
  readonly facts: ContractFacts;
  readonly addressPrefix: number;
  /** Whether ABIs are looked at: `event.subscribe.contractParse`. */
  readonly parses: boolean;
  /** Its block was taken back. */
  readonly removed: boolean;
}

type ContractTriggerName = Extract<Trigger, 'contractevent' | 'contractlog' | 'solidityevent' | 'soliditylog'>;

/** Base58Check address of the contract that wrote the log. */
export function contractAddressOf({ log, addressPrefix }: ContractLog): string {
  return wordAddressText(log.address, addressPrefix);
}

/** Whether an ABI event matches: the others are logs. */
export function isEvent({ log, facts, parses }: ContractLog): boolean {
  return parses && log.topics[0] !== undefined && facts.events.has(toHex(log.topics[0]));
}

/** Payload of an event. Reference: ContractEventTrigger. */
export function eventPayload(trigger: 'contractevent' | 'solidityevent', log: ContractLog): string {
  const { addressPrefix, facts } = log;
  const { topics, data } = log.log;
  const event = facts.events.get(toHex(topics[0] ?? EMPTY_BYTES))!;
  return (
    `${head(trigger, log)},"eventSignature":${jsonText(event.signature)},` +
    `"eventSignatureFull":${jsonText(event.signatureFull)},"eventName":${jsonText(event.name)},` +
    `"topicMap":${mapJson(decodeTopics(event, { topics, data }, addressPrefix))},` +
    `"dataMap":${mapJson(decodeData(event, { topics, data }, addressPrefix))}}`
  );
}

/** Payload of a log. Reference: ContractLogTrigger. */
export function logPayload(trigger: 'contractlog' | 'soliditylog', log: ContractLog): string {
  const { topics, data } = log.log;
  return `${head(trigger, log)},"topicList":${jsonHexList(topics.map(toHex))},"data":"${toHex(data)}"}`;
}

function head(trigger: ContractTriggerName, contractLog: ContractLog): string {
  const { block, transactionId, place, origin, log, facts, removed } = contractLog;
  const creator = facts.creator.length === 0 ? origin : facts.creator;
  return (
    `{"timeStamp":${block.timeMs},"triggerName":"${TRIGGER_FRAMES[trigger]}","uniqueId":"${transactionId}_${place}",` +
    `"transactionId":"${transactionId}","contractAddress":"${contractAddressOf(contractLog)}","callerAddress":"",` +
    `"originAddress":"${addressText(origin)}","creatorAddress":"${addressText(creator)}",` +
    `"blockNumber":${block.number},"blockHash":"${block.id}","removed":${removed},` +
    `"latestSolidifiedBlockNumber":${block.solidifiedBefore},"logInfo":null,` +
    `"rawData":{"address":"${toHex(log.address)}","topics":${jsonHexList(log.topics.map(toHex))},` +
    `"data":"${toHex(log.data)}"},"abi":null`
  );
}

function mapJson(values: EventValues): string {
  return `{${values.map(([name, value]) => `${jsonText(name)}:${jsonText(value)}`).join(',')}}`;
}
