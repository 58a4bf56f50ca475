import type { FieldDescriptor } from '../../codec/descriptor.js';
import type { BuilderPath } from '../../encoding/contract-types/contract-interface.js';
import { visibleForm } from '../../encoding/json/visible-fields.js';
import type { ContractTypeName } from '../../state-transition/contract-types.js';
import { type ContractRow, contractTable } from '../../state-transition/system-contracts/table.js';
import type { ArgumentKind, EndpointDefinition, HttpEndpoint } from './endpoint-definition.js';

/**
 * Operations that build transactions and need their own implementation. All other operations that build a transaction
 * are derived from the table of contract types (`builderEndpoint`).
 */
export const buildEndpoints = {
  DeployContract: {
    name: 'deploycontract',
    servers: ['fullnode'],
    rpc: ['DeployContract'],
    reads: {
      owner_address: 'address!',
      abi: 'text',
      bytecode: 'hex!',
      parameter: 'hex',
      name: 'text',
      call_value: 'int64',
      consume_user_resource_percent: 'int64',
      origin_energy_limit: 'int64',
      fee_limit: 'int64',
      call_token_value: 'int64',
      token_id: 'int64',
      Permission_id: 'int32',
    },
    prints: 'Transaction',
  },
  CreateCommonTransaction: {
    name: 'createCommonTransaction',
    servers: ['fullnode'],
    rpc: ['CreateCommonTransaction'],
    reads: { contractType: 'text!', Permission_id: 'int32' },
    prints: 'Transaction',
  },
} as const satisfies Readonly<Record<string, EndpointDefinition>>;

/**
 * Returns the operation that builds a transaction of one contract type. Its arguments are the fields of the contract's
 * message.
 */
export function builderEndpoint(type: ContractTypeName, { path, takesData, ignoresForms }: BuilderPath): HttpEndpoint {
  const { message }: ContractRow = contractTable[type];
  const fields = message.$fields.map((field) => [field.name, kindOf(message.$name, field)] as const);
  return {
    name: path,
    servers: ['fullnode'],
    ...(ignoresForms && { ignoresForms }),
    reads: { ...Object.fromEntries(fields), Permission_id: 'int32', ...(takesData && { extra_data: 'text' }) },
    prints: 'Transaction',
  };
}

function kindOf(owner: string, { name, kind, repeated, key }: FieldDescriptor): ArgumentKind {
  if (kind === 'message' || key !== undefined) return repeated === true || key !== undefined ? 'object[]' : 'object';
  if (kind === 'bytes') return visibleForm(owner, name) === 'address' ? 'address' : 'bytes';
  return kind === 'bool' || kind === 'int32' || kind === 'int64' ? kind : 'text';
}
