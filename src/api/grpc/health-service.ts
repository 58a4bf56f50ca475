import { constants, type ServerHttp2Stream } from 'node:http2';
import {
  type Server,
  type ServerUnaryCall,
  type ServerWritableStream,
  type ServiceDefinition,
  type sendUnaryData,
  status,
} from '@grpc/grpc-js';
import protobuf from 'protobufjs';

/** Values of the status of a service. Source: `grpc/health/v1/health.proto`, HealthCheckResponse.ServingStatus */
const SERVING = 1;
const NOT_SERVING = 2;
const SERVICE_UNKNOWN = 3;

/** Interval in ms at which the status of watched services is checked. */
const WATCH_MS = 1_000;
const SERVICE_TAG = 10;
const STATUS_TAG = 8;

/** Request in the form of an object, because the library treats an empty text as a missing message. */
interface HealthRequest {
  readonly service: string;
}

interface Watch {
  readonly call: ServerWritableStream<HealthRequest, number>;
  sent: number;
}

const HEALTH_SERVICE = 'grpc.health.v1.Health';
/** Maximum size of a request in bytes. The longest service name has 30 bytes. */
const REQUEST_BYTES_MAX = 1_024;

const definition: ServiceDefinition = {
  Check: methodOf('Check', false),
  Watch: methodOf('Watch', true),
};

/**
 * Adds `grpc.health.v1.Health`, which java-tron does not have. It reports the same status for the server (the empty
 * name) and for each of its services.
 * @param services full names of the services of the port
 * @returns a function that ends all open `Watch` calls
 */
export function addHealthService(server: Server, services: readonly string[], isReady: () => boolean): () => void {
  const known = new Set(['', ...services, HEALTH_SERVICE]);
  const watches = new Set<Watch>();
  const readiness = (): number => (isReady() ? SERVING : NOT_SERVING);
  const statusOf = (service: string, ready: number): number => (known.has(service) ? ready : SERVICE_UNKNOWN);
  const report = (watch: Watch, ready: number): void => {
    const now = statusOf(watch.call.request.service, ready);
    if (now === watch.sent) return;
    watch.sent = now;
    watch.call.write(now);
  };
  // One timer serves all `Watch` calls. It runs only while there are such calls.
  let timer: NodeJS.Timeout | undefined;
  const remove = (watch: Watch): void => {
    watches.delete(watch);
    if (watches.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
  server.addService(definition, {
    Check: ({ request }: ServerUnaryCall<HealthRequest, number>, reply: sendUnaryData<number>): void => {
      const found = statusOf(request.service, readiness());
      if (found === SERVICE_UNKNOWN) reply({ code: status.NOT_FOUND, details: `unknown service ${request.service}` });
      else reply(null, found);
    },
    Watch: (call: ServerWritableStream<HealthRequest, number>): void => {
      const watch = { call, sent: -1 };
      watches.add(watch);
      call.on('cancelled', () => remove(watch));
      call.on('error', () => remove(watch));
      report(watch, readiness());
      timer ??= setInterval(() => {
        // Readiness is computed once for all calls, because it reads the free space of the disk.
        const ready = readiness();
        for (const each of watches) report(each, ready);
      }, WATCH_MS).unref();
    },
  });
  return () => {
    for (const { call } of watches) call.end();
    watches.clear();
    clearInterval(timer);
  };
}

/**
 * Resets a call of the health service if its request is too large. Otherwise the gRPC library would store up to
 * `node.rpc.maxMessageSize` bytes per call. Must be called after the library has attached its own listeners.
 */
export function limitHealthRequest(stream: ServerHttp2Stream, path: string): void {
  if (!path.startsWith(`/${HEALTH_SERVICE}/`)) return;
  let bytes = 0;
  stream.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes > REQUEST_BYTES_MAX) stream.close(constants.NGHTTP2_ENHANCE_YOUR_CALM);
  });
}

function methodOf(name: string, isStream: boolean): ServiceDefinition[string] {
  return {
    path: `/${HEALTH_SERVICE}/${name}`,
    requestStream: false,
    responseStream: isStream,
    requestSerialize: ({ service }: HealthRequest) =>
      bytesOf(protobuf.Writer.create().uint32(SERVICE_TAG).string(service)),
    requestDeserialize: (bytes: Buffer): HealthRequest => ({
      service: readField(bytes, SERVICE_TAG, (reader) => reader.string()) ?? '',
    }),
    responseSerialize: (value: number) => bytesOf(protobuf.Writer.create().uint32(STATUS_TAG).int32(value)),
    responseDeserialize: (bytes: Buffer) => readField(bytes, STATUS_TAG, (reader) => reader.int32()) ?? 0,
  };
}

function bytesOf(writer: protobuf.Writer): Buffer {
  return Buffer.from(writer.finish());
}

/** Returns the last value of a field; undefined if the message does not have it. @throws {Error} malformed message */
function readField<T>(bytes: Buffer, wanted: number, read: (reader: protobuf.Reader) => T): T | undefined {
  const reader = protobuf.Reader.create(bytes);
  let value: T | undefined;
  while (reader.pos < reader.len) {
    const tag = reader.uint32();
    if (tag === wanted) value = read(reader);
    else reader.skipType(tag & 7);
  }
  return value;
}
