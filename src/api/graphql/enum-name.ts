import { enumNames } from '../../encoding/json/enum-names.js';

/** Returns the name of an enum value in the schema, or the number as text if it has no name. */
export function enumName(values: Readonly<Record<string, number>>, value: number): string {
  return enumNames(values).byNumber.get(value) ?? String(value);
}
