/** Gives `key` a further value: objects merge, what holds substitutions is kept in layers until they are known. */
export function setField(fields, key, node) {
    const old = fields.get(key);
    fields.set(key, old === undefined ? node : merge(old, node));
}
export function layersOf(node) {
    return node.kind === 'stack' ? node.layers : [node];
}
export function isUnresolved(node) {
    return node.kind === 'reference' || node.kind === 'concat' || node.kind === 'stack';
}
function merge(old, node) {
    if (node.kind === 'object' && old.kind === 'object') {
        const fields = new Map(old.fields);
        for (const [key, value] of node.fields)
            setField(fields, key, value);
        return { kind: 'object', fields, origin: node.origin };
    }
    if (node.kind === 'object' && isUnresolved(old)) {
        const layers = layersOf(old);
        const top = layers[layers.length - 1];
        const next = top.kind === 'object' ? [...layers.slice(0, -1), merge(top, node)] : [...layers, node];
        return { kind: 'stack', layers: next, origin: node.origin };
    }
    if (!hasReference(node))
        return node;
    return { kind: 'stack', layers: [...layersOf(old), ...layersOf(node)], origin: node.origin };
}
/** A list or object with a substitution inside may look back at the value that it replaces. */
function hasReference(node) {
    if (node.kind === 'list')
        return node.items.some(hasReference);
    if (node.kind === 'object')
        return [...node.fields.values()].some(hasReference);
    return isUnresolved(node);
}
//# sourceMappingURL=hocon-nodes.js.map