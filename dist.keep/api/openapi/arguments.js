import { argumentRows } from './argument-rows.js';
const NOTHING = { fields: [], reply: undefined };
const table = new Map(argumentRows.map(([family, fields, reply]) => [
    family,
    { fields: fields === '' ? [] : fields.split(' ').map(field), reply: reply === '' ? undefined : reply },
]));
/** @param family of the handler, see `Route.family` */
export function argumentsOf(family) {
    return table.get(family) ?? NOTHING;
}
function field(text) {
    const [name, kind] = text.replace('!', '').split(':');
    return { name, kind, isRequired: text.endsWith('!') };
}
//# sourceMappingURL=arguments.js.map