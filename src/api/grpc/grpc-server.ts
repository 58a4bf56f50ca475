import { type handleUnaryCall, Server, ServerCredentials } from '@grpc/grpc-js';
import type { Logger } from 'pino';
import { TronError } from '../../log/domain/errors.js';
import { answerCall } from './answer-call.js';
import type { GrpcCall } from './grpc-method.js';
import { type GrpcServerName, grpcServices } from './services.js';

export interface GrpcServerOptions {
  readonly server: GrpcServerName;
  /** State and services of one call, which must be used up before the next turn of the event loop. */
  readonly call: () => GrpcCall;
  /** Names of `node.disabledApi`, in lower case. */
  readonly disabled: readonly string[];
  /** `node.rpc.*` */
  readonly limits: GrpcLimits;
  readonly log: Logger;
}

export interface GrpcLimits {
  /** Bytes of a request. */
  readonly maxMessageSize: number;
  readonly maxConcurrentCallsPerConnection: number;
  /** ms; very large values mean never. */
  readonly maxConnectionIdleInMillis: number;
  readonly maxConnectionAgeInMillis: number;
  /** Bytes of a request's head. */
  readonly maxHeaderListSize: number;
}

/** The longest time that a timer can take, ms. */
const TIMER_MAX = 2 ** 31 - 1;
const STREAMS_MAX = 2 ** 31 - 1;

/** One of the three gRPC servers. */
export class GrpcServer {
  private readonly server: Server;

  constructor({ server, call, disabled, limits, log }: GrpcServerOptions) {
    const services = grpcServices(server);
    const off = new Set(disabled);
    this.server = new Server({
      'grpc.max_receive_message_length': limits.maxMessageSize,
      'grpc.max_send_message_length': -1,
      'grpc.max_concurrent_streams': Math.min(limits.maxConcurrentCallsPerConnection, STREAMS_MAX),
      'grpc.max_connection_idle_ms': Math.min(limits.maxConnectionIdleInMillis, TIMER_MAX),
      'grpc.max_connection_age_ms': Math.min(limits.maxConnectionAgeInMillis, TIMER_MAX),
    });
    const handle =
      (name: string): handleUnaryCall<Buffer, Buffer> =>
      ({ request }, reply) => {
        const { status, details, bytes } = answerCall(services, name, request, call, (method) => off.has(method));
        if (status === 0) return reply(null, Buffer.from(bytes));
        log.debug({ method: name, status, details }, 'grpc refusal');
        reply({ code: status, details, name, message: details });
      };
    // The library answers unknown methods in words of its own; the reference's are these.
    Object.assign(this.server, {
      _retrieveHandler: (path: string) => ({
        type: 'unary',
        path,
        func: handle(path.slice(1)),
        serialize: asItIs,
        deserialize: asItIs,
      }),
    });
  }

  /** @throws {TronError} a port that cannot be had */
  listen(port: number): Promise<number> {
    return new Promise((resolve, reject) => {
      this.server.bindAsync(`0.0.0.0:${port}`, ServerCredentials.createInsecure(), (error, bound) => {
        if (error === null) resolve(bound);
        else reject(new TronError('PORT_IN_USE', `gRPC cannot listen on port ${port}: ${error.message}`));
      });
    });
  }

  async close(): Promise<void> {
    this.server.forceShutdown();
  }
}

function asItIs(bytes: Buffer): Buffer {
  return bytes;
}
