import { EmptyMessage, NodeInfo } from '../../log/codec/generated/messages.js';
import { nodeInfo } from '../operations/node-info.js';
import { method } from './grpc-method.js';
/** What `getnodeinfo` shows, as a message. */
export const nodeInfoMethod = method(EmptyMessage, (_, { api, view }) => {
    const info = nodeInfo(api, view);
    const peers = (api.peers.details ?? []).map(({ active = false, ...details }) => ({ ...details, isActive: active }));
    return fill(NodeInfo, { ...info, peerInfoList: peers });
});
/** A message of the members that bear the names of its fields. */
export function fill(type, values) {
    const message = new type();
    for (const { name, prop, kind, key, repeated, message: inner } of type.$fields) {
        const value = values[name];
        if (value === undefined || value === null || key !== undefined)
            continue;
        if (inner !== undefined && repeated) {
            message[prop] = value.map((item) => fill(inner(), item));
        }
        else if (inner !== undefined && typeof value === 'object') {
            message[prop] = fill(inner(), value);
        }
        else if (inner === undefined)
            message[prop] = scalar(kind, value);
    }
    return message;
}
function scalar(kind, value) {
    if (kind === 'string')
        return String(value);
    if (kind === 'int64')
        return BigInt(Math.trunc(Number(value)));
    return kind === 'bool' ? value === true : Number(value);
}
//# sourceMappingURL=node-info-method.js.map