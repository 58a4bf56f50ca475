import type { FieldDescriptor } from '../../codec/descriptor.js';
import { visibleForm } from '../../content/json/visible-fields.js';
import type { ContractTypeName } from '../../vm/contract-types.js';
import { type ContractRow, contractTable } from '../../vm/contracts/table.js';
import type { BuilderPath } from '../contracts/contract-interface.js';
import { interfaceRows } from '../contracts/contract-interfaces.js';
import { argumentRows } from './argument-rows.js';

/** One thing that a handler reads from the query or the body. */
export interface ArgumentField {
  readonly name: string;
  readonly kind:
    | 'bool'
    | 'int32'
    | 'int64'
    | 'text'
    | 'hex'
    | 'bytes'
    | 'address'
    | 'object'
    | 'object[]'
    | 'text[]'
    | 'hex[]';
  readonly isRequired: boolean;
}

interface Arguments {
  readonly fields: readonly ArgumentField[];
  /** Message that is printed; undefined for an answer of its own form. */
  readonly reply: string | undefined;
}

const NOTHING: Arguments = { fields: [], reply: undefined };

const table: ReadonlyMap<string, Arguments> = new Map([
  ...argumentRows.map(([family, fields, reply]): readonly [string, Arguments] => [
    family,
    { fields: fields === '' ? [] : fields.split(' ').map(field), reply: reply === '' ? undefined : reply },
  ]),
  ...interfaceRows().flatMap(([type, { http }]) =>
    http === 'none' ? [] : [[http.family, builderOf(type, http)] as const],
  ),
]);

/** @param family of the handler, see `Route.family` */
export function argumentsOf(family: string): Arguments {
  return table.get(family) ?? NOTHING;
}

function field(text: string): ArgumentField {
  const [name, kind] = text.replace('!', '').split(':') as [string, ArgumentField['kind']];
  return { name, kind, isRequired: text.endsWith('!') };
}

/** What a builder reads: the fields of its message, and what every builder takes beside. */
function builderOf(type: ContractTypeName, { takesData }: BuilderPath): Arguments {
  const { message }: ContractRow = contractTable[type];
  const fields = message.$fields.map((read) => ({
    name: read.name,
    kind: kindOf(message.$name, read),
    isRequired: false,
  }));
  const beside = takesData === true ? ['Permission_id:int32', 'extra_data:text'] : ['Permission_id:int32'];
  return { fields: [...fields, ...beside.map(field)], reply: 'Transaction' };
}

function kindOf(owner: string, { name, kind, repeated, key }: FieldDescriptor): ArgumentField['kind'] {
  if (kind === 'message' || key !== undefined) return repeated === true || key !== undefined ? 'object[]' : 'object';
  if (kind === 'bytes') return visibleForm(owner, name) === 'address' ? 'address' : 'bytes';
  return kind === 'bool' || kind === 'int32' || kind === 'int64' ? kind : 'text';
}
