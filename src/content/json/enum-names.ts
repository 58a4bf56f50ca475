import { messageOf } from '../../codec/descriptor.js';
import * as messages from '../../codec/generated/messages.js';

/** Names by number of an enumeration, and what the schema calls it. */
interface EnumNames {
  /** Such as `protocol.Transaction.Contract.ContractType`. */
  readonly fullName: string;
  readonly shortName: string;
  readonly byNumber: ReadonlyMap<number, string>;
}

type Values = Readonly<Record<string, number>>;

/** By the enumeration's values, as field descriptors carry them. */
export function enumNames(values: Values): EnumNames {
  let names = known.get(values);
  if (names === undefined) {
    names = describe(values);
    known.set(values, names);
  }
  return names;
}

const known = new Map<Values, EnumNames>();

function describe(values: Values): EnumNames {
  const fullName = schemaName(Object.entries(messages).find(([, value]) => value === values)?.[0] ?? '');
  const byNumber = new Map<number, string>();
  for (const [name, number] of Object.entries(values)) if (!byNumber.has(number)) byNumber.set(number, name);
  return { fullName, shortName: fullName.slice(fullName.lastIndexOf('.') + 1), byNumber };
}

/** Enumerations whose names begin with a small letter, which the generated names do not keep. */
const SMALL: Readonly<Record<string, string>> = {
  Code: 'code',
  ContractResult: 'contractResult',
  Response_code: 'response_code',
};

/**
 * `TransactionContractContractType` is `protocol.Transaction.Contract.ContractType`: the enclosing message tells where
 * to split.
 */
function schemaName(generated: string): string {
  for (let length = generated.length - 1; length > 0; length--) {
    const found = Object.entries(messages).find(([name]) => name === generated.slice(0, length))?.[1];
    const enclosing = (found as { $name?: string } | undefined)?.$name;
    if (enclosing === undefined || messageOf(enclosing) === undefined) continue;
    const rest = generated.slice(length);
    return `${enclosing}.${SMALL[rest] ?? rest}`;
  }
  return `protocol.${generated}`;
}
