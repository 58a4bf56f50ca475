import { UsageError } from '../../log/domain/errors.js';
import { asBoolean, asInt32, asObject, asObjects, asText, asTexts, toLong, unwrappedText, valueAt, } from './hocon-value.js';
import { described, row } from './row.js';
const MEMBERS = ['triggerName', 'enable', 'topic', 'redundancy', 'ethCompatible', 'solidified'];
/** Whether contract logs are decoded with the ABI, whatever else the section says. */
export const contractParseRow = contractParse();
/** Absent section: undefined. @throws {UsageError} a trigger or filter with a missing member. */
export const eventSubscribeRow = {
    ...row('event.subscribe', 'object', undefined, 'events; used only with --es', readSection),
    also: members(),
};
function contractParse() {
    const key = 'event.subscribe.contractParse';
    const made = row(key, 'bool', true, 'decode contract logs with the ABI into events', asBoolean);
    return {
        ...made,
        read: (source) => {
            const given = source.flags.keys.get(key);
            return given === undefined || given === '' ? made.read(source) : given.toLowerCase() === 'true';
        },
    };
}
/** Reference: Args.getEventPluginConfig, Args.getEventFilter. */
function readSection(_value, _key, source) {
    const native = readNative(source);
    const plugin = (name) => (native.useNativeQueue ? '' : (textOf(source, name) ?? '').trim());
    const filter = readFilter(source);
    return {
        native,
        path: plugin('path'),
        server: plugin('server'),
        dbConfig: plugin('dbconfig'),
        topics: readTopics(source),
        ...(filter && { filter }),
    };
}
/** The other two keys count only beside `useNativeQueue`. */
function readNative({ root }) {
    const at = (name) => ({
        key: `event.subscribe.native.${name}`,
        value: valueAt(root, `event.subscribe.native.${name}`),
    });
    const use = at('useNativeQueue');
    if (use.value === undefined)
        return { useNativeQueue: false, bindPort: 0, sendQueueLength: 0 };
    const [port, length] = [at('bindport'), at('sendqueuelength')];
    return {
        useNativeQueue: asBoolean(use.value, use.key),
        bindPort: port.value === undefined ? 0 : asInt32(port.value, port.key),
        sendQueueLength: length.value === undefined ? 0 : asInt32(length.value, length.key),
    };
}
function readTopics({ root }) {
    const key = 'event.subscribe.topics';
    const value = valueAt(root, key);
    return value === undefined ? [] : asObjects(value, key).map(readTrigger);
}
function readTrigger(object) {
    const optional = (name) => {
        const value = object.fields.get(name);
        return value && unwrappedText(value, `event.subscribe.topics.${name}`);
    };
    const required = (name) => {
        const text = optional(name);
        if (text !== undefined)
            return text;
        const { file, line } = object.origin;
        throw new UsageError(`${file}: ${line}: an element of event.subscribe.topics has no ${name}`);
    };
    const isTrue = (text) => text?.toLowerCase() === 'true';
    return {
        triggerName: required('triggerName'),
        enable: isTrue(required('enable')),
        topic: required('topic'),
        redundancy: isTrue(optional('redundancy')),
        ethCompatible: isTrue(optional('ethCompatible')),
        solidified: isTrue(optional('solidified')),
    };
}
/** A bound that is no number switches the whole filter off, with a warning. */
function readFilter(source) {
    const key = 'event.subscribe.filter';
    const value = valueAt(source.root, key);
    if (value === undefined)
        return undefined;
    asObject(value, key);
    const member = (name) => {
        const found = valueAt(source.root, `${key}.${name}`);
        if (found !== undefined)
            return found;
        throw new UsageError(`No configuration setting found for key '${key}.${name}'`);
    };
    const bound = (name, word, open) => {
        const text = asText(member(name), `${key}.${name}`).trim();
        return text === '' || text.toLowerCase() === word ? open : toLong(text);
    };
    const fromBlock = bound('fromblock', 'earliest', 0n);
    if (fromBlock === undefined)
        return off(source, 'fromblock');
    const toBlock = bound('toblock', 'latest', -1n);
    if (toBlock === undefined)
        return off(source, 'toblock');
    const texts = (name) => asTexts(member(name), `${key}.${name}`).filter((text) => text !== '');
    return { fromBlock, toBlock, contractAddresses: texts('contractAddress'), contractTopics: texts('contractTopic') };
}
function off(source, name) {
    source.warn(`invalid filter: event.subscribe.filter.${name} is not a number, so nothing is filtered`);
    return undefined;
}
function textOf({ root }, name) {
    const key = `event.subscribe.${name}`;
    const value = valueAt(root, key);
    return value && asText(value, key);
}
function members() {
    const at = (name, type, fallback, doc) => described(`event.subscribe.${name}`, type, fallback, doc);
    const topics = at('topics', 'object[]', '[]', `elements { ${MEMBERS.join(', ')} }; the first three are mandatory`);
    return [
        at('native.useNativeQueue', 'bool', 'false', 'publish by ZeroMQ; path, server and dbconfig are not read then'),
        at('native.bindport', 'int', '0', 'port of the ZeroMQ publisher; 0 or below is 5555'),
        at('native.sendqueuelength', 'int', '0', 'read, without effect: the queue holds 1000'),
        at('path', 'string', '""', "the reference's plugin archive"),
        at('server', 'string', '""', 'Kafka bootstrap servers, or host:port of MongoDB'),
        at('dbconfig', 'string', '""', 'MongoDB: dbname|user|password or dbname|user|password|version'),
        { ...topics, members: MEMBERS },
        at('filter', 'object', 'absent', 'filter of contract events and logs; its four members are mandatory'),
        at('filter.fromblock', 'string', 'mandatory', '"" or "earliest" is 0; a bad number switches the filter off'),
        at('filter.toblock', 'string', 'mandatory', '"" or "latest" is unbounded; a bad number switches the filter off'),
        at('filter.contractAddress', 'string[]', 'mandatory', 'Base58Check addresses; empty ones are dropped'),
        at('filter.contractTopic', 'string[]', 'mandatory', 'topics; empty ones are dropped'),
    ];
}
//# sourceMappingURL=event-rows.js.map