/** A sink in the form of the configuration. */
export function sinkToJson({ filter, topicNames, ...sink }) {
    const { fromBlock, toBlock, ...lists } = filter;
    return {
        ...sink,
        topicNames: Object.fromEntries(topicNames),
        filter: {
            ...lists,
            ...(fromBlock !== undefined && { fromBlock: Number(fromBlock) }),
            ...(toBlock !== undefined && { toBlock: Number(toBlock) }),
        },
    };
}
/** What may be shown of it: no password. */
export function shownSink(sink) {
    const { sasl, ...json } = sinkToJson(sink);
    return sasl === undefined ? json : { ...json, sasl: { mechanism: sasl.mechanism, username: sasl.username } };
}
//# sourceMappingURL=sink-json.js.map