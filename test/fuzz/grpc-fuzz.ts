import { findMethod } from '../../src/api/grpc/answer-call.js';
import { EncodedReply, type GrpcCall, GrpcStatusError } from '../../src/api/grpc/grpc-method.js';
import { grpcServices } from '../../src/api/grpc/services.js';
import { apiRelease } from '../../src/api/releases/releases.js';
import { type ServerName, serverNames } from '../../src/api/servers.js';
import type { FieldDescriptor, MessageType } from '../../src/codec/descriptor.js';
import { ProtobufError } from '../../src/codec/reader.js';
import { typeOf } from '../../src/encoding/json/message-fields.js';
import { javaError } from '../../src/state-transition/java-errors.js';
import type { Random } from './random.js';

/** All methods of all servers, with their names in gRPC requests. */
export const grpcMethods = serverNames.flatMap((server) =>
  Object.entries(grpcServices(server, { release: apiRelease('4.7.2'), hasMonitor: true })).flatMap(
    ([service, methods]) => Object.keys(methods).map((name) => ({ server, name: `${service}/${name}` })),
  ),
);

const LONGS = [0n, 1n, -1n, 2n ** 63n - 1n, -(2n ** 63n), 100n, 2n ** 31n, 60n];
const INTS = [0, 1, -1, 2 ** 31 - 1, -(2 ** 31), 99];
const TEXTS = ['', '0', '1000001', 'é', '\ud800', 'x'.repeat(300), '41', '_', '-1'];

/** Returns an encoded request that is malformed in most cases. */
export function grpcRequest(type: MessageType<object>, random: Random): Buffer {
  if (random.chance(0.1)) return random.bytes(random.below(200));
  const bytes = Buffer.from(type.encode(message(type, random, 0)));
  if (random.chance(0.6) || bytes.length === 0) return bytes;
  for (let times = 1 + random.below(4); times > 0; times--) bytes[random.below(bytes.length)] = random.below(256);
  return random.chance(0.3) ? bytes.subarray(0, random.below(bytes.length)) : bytes;
}

/** Calls one method with a malformed request. @returns a text if the result is wrong, otherwise undefined */
export async function tryGrpc(call: (server: ServerName) => GrpcCall, random: Random): Promise<string | undefined> {
  const { server, name } = random.pick(grpcMethods);
  const found = findMethod(grpcServices(server, { release: apiRelease('4.7.2'), hasMonitor: true }), name);
  if (found === undefined) return `${name} does not exist`;
  const request = grpcRequest(found.request, random);
  try {
    const reply = await found.run(found.request.decode(request), call(server));
    if (reply !== undefined && !(reply instanceof EncodedReply)) typeOf(reply).encode(reply);
    return undefined;
  } catch (error) {
    if (error instanceof GrpcStatusError || error instanceof ProtobufError || javaError(error) !== undefined)
      return undefined;
    const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
    return `${name} ${request.toString('hex').slice(0, 300)}: ${text}`;
  }
}

function message(type: MessageType<object>, random: Random, depth: number): object {
  const made = new type() as Record<string, unknown>;
  for (const field of type.$fields) {
    if (field.key !== undefined || random.chance(depth === 0 ? 0.25 : 0.5)) continue;
    const count = field.repeated === true ? random.below(4) : 1;
    const values = Array.from({ length: count }, () => scalar(field, random, depth));
    if (values.includes(undefined)) continue;
    made[field.prop] = field.repeated === true ? values : values[0];
  }
  return made;
}

function scalar({ kind, values, message: inner }: FieldDescriptor, random: Random, depth: number): unknown {
  if (inner !== undefined) return depth > 3 ? undefined : message(inner(), random, depth + 1);
  if (kind === 'int64') return random.pick(LONGS);
  if (kind === 'int32') return random.pick(INTS);
  if (kind === 'bool') return random.chance(0.5);
  if (kind === 'double') return random.pick([0, -1, Number.NaN, 1e308]);
  if (values !== undefined) return random.pick([...Object.values(values), 77, -1]);
  if (kind === 'string') return random.pick(TEXTS).toWellFormed?.() ?? 'x';
  if (random.chance(0.02)) return random.bytes(1500 + random.below(4000));
  if (random.chance(0.5)) return Buffer.from(random.pick(random.known), 'hex');
  return random.pick([Buffer.alloc(0), random.bytes(21), random.bytes(32), random.bytes(random.below(90))]);
}
