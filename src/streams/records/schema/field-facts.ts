import {
  TransactionResultContractResult as ContractResult,
  TransactionContractContractType as ContractType,
  PermissionPermissionType as PermissionType,
} from '../../../codec/generated/messages.js';
import { RESOURCES } from '../../../encoding/staked-resources.js';
import { movementKinds } from '../transfers/kinds.js';

/** Facts about the JSON form of a field that the protobuf schema does not express. */
export interface FieldFact {
  readonly doc?: string;
  /** All valid values of a string. */
  readonly values?: readonly string[];
  /** Regular expression that the string matches. */
  readonly pattern?: string;
  /** Length in bytes of a field of type `bytes`. */
  readonly bytes?: number;
  /** True if the value can be null. By default, only optional fields and wrapper messages can be null. */
  readonly canBeNull?: boolean;
  /** True if the field can be missing. By default, fields are present. */
  readonly canBeOmitted?: boolean;
}

const address: FieldFact = { pattern: '^[1-9A-HJ-NP-Za-km-z]*$', doc: 'Base58Check address.' };
const hash: FieldFact = { bytes: 32 };
const decimal: FieldFact = { pattern: '^[0-9]+$' };
const omitted: FieldFact = { canBeNull: false, canBeOmitted: true };
const UNRECOGNIZED = 'UNRECOGNIZED';

/**
 * Facts about all fields with the same name. The outer key is the protobuf type, the inner key the name of the field.
 */
export const namedFacts: Readonly<Record<string, Readonly<Record<string, FieldFact>>>> = {
  int64: {
    time_stamp: { doc: 'Time of the block, in ms since 1970.' },
    block_number: { doc: 'Height of the block.' },
    before: { doc: 'Value before the block.' },
    after: { doc: 'Value after the block.' },
    latest_solidified_block_number: { doc: 'Height of the newest solidified block.' },
    expire_time: { doc: 'Time until which the delegation is locked, in ms since 1970; 0 if not locked.' },
  },
  bool: { removed: { doc: 'True for a reverted block.' } },
  string: {
    trigger_name: { doc: 'Kind of the record.' },
    address,
    contract_address: address,
    caller_address: { ...address, doc: 'Always empty, as in java-tron.' },
    origin_address: { ...address, doc: 'Base58Check address of the sender of the transaction.' },
    creator_address: { ...address, doc: 'Base58Check address of the creator of the contract.' },
    from_address: address,
    to_address: address,
    from: address,
    to: address,
    contract_type: { values: [...Object.keys(ContractType), UNRECOGNIZED], doc: 'Contract type of the transaction.' },
    result: {
      values: [...Object.keys(ContractResult), UNRECOGNIZED],
      doc: 'Result of the execution of the transaction.',
    },
    resource: { values: RESOURCES, doc: 'Resource of the stake or of the delegation.' },
  },
  bytes: {
    block_hash: { ...hash, doc: 'Id of the block.' },
    transaction_id: { ...hash, doc: 'Id of the transaction.' },
    transaction_hash: hash,
    transaction_list: hash,
    hash,
    topic_list: hash,
    topics: hash,
  },
};

/** Facts about single fields. They replace the facts of {@link namedFacts}. */
export const fieldFacts: Readonly<Record<string, FieldFact>> = {
  'BlockEvent.removed': omitted,
  'TransactionEvent.removed': omitted,
  'TransactionEvent.ext_map': { canBeNull: true, canBeOmitted: true },
  'Permissions.owner': { canBeNull: true },
  'Permissions.witness': { canBeNull: true },
  'Permission.type': { ...omitted, values: Object.keys(PermissionType) },
  'Permission.id': omitted,
  'Permission.permission_name': omitted,
  'Permission.threshold': omitted,
  'Permission.parent_id': omitted,
  'Permission.operations': { ...omitted, bytes: 32 },
  'Permission.keys': omitted,
  'PermissionKey.address': { ...omitted, ...address },
  'PermissionKey.weight': omitted,
  'TransferEvent.finality': { values: ['applied', 'solidified'] },
  'TransferEvent.kind': { values: Object.keys(movementKinds) },
  'TransferEvent.standard': { values: ['TRX', 'TRC10', 'TRC20', 'TRC721', 'TRC1155'] },
  'TransferEvent.token_id': decimal,
  'TransferEvent.amount': decimal,
};

/**
 * Messages that JSON represents as one field of an object. The first field of the message is the name, the second is
 * the value.
 */
export const MEMBER_MESSAGES: ReadonlySet<string> = new Set(['TokenAmount', 'ResourceAmount', 'EventParameter']);

/** Fields that are always null in JSON, as in java-tron. The protobuf schema omits them. */
export const nullMembers: Readonly<Record<string, readonly string[]>> = {
  ContractEvent: ['logInfo', 'abi'],
  ContractLogEvent: ['logInfo', 'abi'],
};
