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

const table: ReadonlyMap<string, Arguments> = new Map(
  argumentRows.map(([family, fields, reply]) => [
    family,
    { fields: fields === '' ? [] : fields.split(' ').map(field), reply: reply === '' ? undefined : reply },
  ]),
);

/** @param family of the handler, see `Route.family` */
export function argumentsOf(family: string): Arguments {
  return table.get(family) ?? NOTHING;
}

function field(text: string): ArgumentField {
  const [name, kind] = text.replace('!', '').split(':') as [string, ArgumentField['kind']];
  return { name, kind, isRequired: text.endsWith('!') };
}
