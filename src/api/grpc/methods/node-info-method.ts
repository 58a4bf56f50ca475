import type { MessageType } from '../../../codec/descriptor.js';
import { type EmptyMessage, NodeInfo } from '../../../codec/generated/messages.js';
import type { PlainObject } from '../../../encoding/json/print-plain.js';
import { nodeInfo } from '../../operations/node-info.js';
import { grpcMethod } from '../grpc-method.js';

/** Returns the data of `getnodeinfo` as a message. */
export const nodeInfoMethod = grpcMethod((_: EmptyMessage, { api, view }) => {
  const info = nodeInfo(api, view);
  const peers = (api.peers.details ?? []).map(({ active = false, ...details }) => ({ ...details, isActive: active }));
  return fillNodeInfo(NodeInfo, { ...info, peerInfoList: peers });
});

type Value = PlainObject[string];

/** Creates a message. Fills each field with the value of the same name. */
export function fillNodeInfo<T extends object>(type: MessageType<T>, values: PlainObject): T {
  const message = new type() as Record<string, unknown>;
  for (const { name, prop, kind, key, repeated, message: inner } of type.$fields) {
    const value = values[name];
    if (value === undefined || value === null) continue;
    if (key !== undefined) {
      message[prop] = new Map(Object.entries(value));
      continue;
    }
    if (inner !== undefined && repeated) {
      message[prop] = (value as readonly PlainObject[]).map((item) => fillNodeInfo(inner(), item));
    } else if (inner !== undefined && typeof value === 'object') {
      message[prop] = fillNodeInfo(inner(), value as PlainObject);
    } else if (inner === undefined) message[prop] = scalar(kind, value);
  }
  return message as T;
}

function scalar(kind: string, value: Value): unknown {
  if (kind === 'string') return String(value);
  if (kind === 'int64') return BigInt(Math.trunc(Number(value)));
  return kind === 'bool' ? value === true : Number(value);
}
