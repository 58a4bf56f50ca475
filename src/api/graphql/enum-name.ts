import { enumNames } from '../../encoding/json/enum-names.js';

/** Name of an enumeration's value as the schema has it; the number as text when it has none. */
export function enumName(values: Readonly<Record<string, number>>, value: number): string {
  return enumNames(values).byNumber.get(value) ?? String(value);
}
