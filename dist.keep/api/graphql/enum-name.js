import { enumNames } from '../json/enum-names.js';
/** Name of an enumeration's value as the schema has it; the number as text when it has none. */
export function enumName(values, value) {
    return enumNames(values).byNumber.get(value) ?? String(value);
}
//# sourceMappingURL=enum-name.js.map