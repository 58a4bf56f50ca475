import { enumFullNames } from '../../codec/generated/messages.js';
import { present } from '../../primitives/assert.js';

/** Names of an enumeration: its name in the schema, and the names of its values by number. */
interface EnumNames {
  /** Full name, such as `protocol.Transaction.Contract.ContractType`. */
  readonly fullName: string;
  readonly shortName: string;
  readonly byNumber: ReadonlyMap<number, string>;
}

type Values = Readonly<Record<string, number>>;

/** Returns the names of an enumeration. @param values the object of values in its field descriptors */
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
  const fullName = present(enumFullNames.get(values), 'field descriptors carry enumerations of the schema');
  const byNumber = new Map<number, string>();
  for (const [name, number] of Object.entries(values)) if (!byNumber.has(number)) byNumber.set(number, name);
  return { fullName, shortName: fullName.slice(fullName.lastIndexOf('.') + 1), byNumber };
}
