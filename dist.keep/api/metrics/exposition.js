/** Media type of the text. */
export const EXPOSITION_TYPE = 'text/plain; version=0.0.4; charset=utf-8';
/** Text of metrics in Prometheus' format, one family once, whatever threads its series come from. */
export function exposition(snapshots) {
    const families = new Map();
    for (const metric of snapshots.flat()) {
        const family = families.get(metric.name);
        if (family === undefined)
            families.set(metric.name, [metric]);
        else
            family.push(metric);
    }
    const lines = [];
    for (const [name, [first, ...rest]] of families) {
        const { help, type } = first;
        lines.push(`# HELP ${name} ${help.replace(/\\/g, '\\\\').replace(/\n/g, '\\n')}`, `# TYPE ${name} ${type}`);
        for (const { values } of [first, ...rest]) {
            for (const { metricName = name, labels, value } of values) {
                lines.push(`${metricName}${labelText(labels)} ${numberText(value)}`);
            }
        }
    }
    return `${lines.join('\n')}\n`;
}
function labelText(labels) {
    const parts = Object.entries(labels).map(([name, value]) => `${name}="${escapeLabel(String(value))}"`);
    return parts.length === 0 ? '' : `{${parts.join(',')}}`;
}
function escapeLabel(text) {
    return text.replace(/[\\"\n]/g, (char) => (char === '\n' ? '\\n' : `\\${char}`));
}
function numberText(value) {
    if (value === Number.POSITIVE_INFINITY)
        return '+Inf';
    if (value === Number.NEGATIVE_INFINITY)
        return '-Inf';
    return String(value);
}
//# sourceMappingURL=exposition.js.map