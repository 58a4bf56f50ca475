import { enumNames } from '../../encoding/json/enum-names.js';

/** Returns the schema's name of an enum value. Without a name, returns the number as text. */
export function enumName(values: Readonly<Record<string, number>>, value: number): string {
  return enumNames(values).byNumber.get(value) ?? String(value);
}
