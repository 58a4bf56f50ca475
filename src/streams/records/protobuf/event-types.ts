import { fileURLToPath } from 'node:url';
import protobuf from 'protobufjs';
import type { EventTrigger } from '../../event-kinds.js';

/** Package of the protobuf messages, and namespace of the Avro records. */
export const EVENTS_PACKAGE = 'tronicle.events.v1';

/** Path of the protobuf schema of the records. */
export const EVENTS_PROTO = fileURLToPath(
  new URL('../../../../proto/tronicle/events/v1/events.proto', import.meta.url),
);

/** Protobuf message of each trigger. */
export const eventMessages: Readonly<Record<EventTrigger, string>> = {
  block: 'BlockEvent',
  transaction: 'TransactionEvent',
  contractevent: 'ContractEvent',
  contractlog: 'ContractLogEvent',
  solidity: 'SolidityEvent',
  solidityevent: 'ContractEvent',
  soliditylog: 'ContractLogEvent',
  stake: 'StakeEvent',
  unstake: 'StakeEvent',
  delegate: 'DelegationEvent',
  undelegate: 'DelegationEvent',
  vote: 'VoteEvent',
  reward: 'RewardEvent',
  permission: 'PermissionEvent',
  balance: 'BalanceEvent',
  transfer: 'TransferEvent',
};

/** Returns the full name of a message, as in the header `schema` of protobuf and Avro records. */
export function fullMessageName(name: string): string {
  return `${EVENTS_PACKAGE}.${name}`;
}

/** Reads the messages of the protobuf schema, by name, with their comments. */
export function readEventTypes(): ReadonlyMap<string, protobuf.Type> {
  const root = new protobuf.Root().loadSync(EVENTS_PROTO, { keepCase: true, alternateCommentMode: true });
  root.resolveAll();
  const types = root.lookup(EVENTS_PACKAGE) as protobuf.Namespace;
  return new Map(types.nestedArray.flatMap((type) => (type instanceof protobuf.Type ? [[type.name, type]] : [])));
}

/** Returns the name of a field in JSON. */
export function jsonNameOf({ name, options }: protobuf.Field): string {
  const jsonName: unknown = options?.['json_name'];
  return typeof jsonName === 'string' ? jsonName : camel(name);
}

/** Returns true if a message can distinguish a missing field from a field with the default value. */
export function isOptional({ options }: protobuf.Field): boolean {
  return options?.['proto3_optional'] === true;
}

/** Returns the single field of a wrapper message for an optional list or map; undefined for other messages. */
export function containerField({ fieldsArray }: protobuf.Type): protobuf.Field | undefined {
  const [field] = fieldsArray;
  return fieldsArray.length === 1 && field?.repeated === true ? field : undefined;
}

function camel(name: string): string {
  return name.replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
}
