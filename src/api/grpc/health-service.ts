import protobuf from 'protobufjs';
import { GrpcStatus, refusal } from './grpc-reply.js';
import { type CallMethod, GOOD, type ServerCall } from './server-call.js';

/** Status values of a service. Source: `grpc/health/v1/health.proto`, HealthCheckResponse.ServingStatus */
const SERVING = 1;
const NOT_SERVING = 2;
const SERVICE_UNKNOWN = 3;

/** Interval in ms at which the status of watched services is checked. */
const WATCH_MS = 1_000;
/** Protobuf tag of the request field `service` (field 1, a string). */
const SERVICE_TAG = 10;
/** Protobuf tag of the response field `status` (field 1, a number). */
const STATUS_TAG = 8;
const HEALTH_SERVICE = 'grpc.health.v1.Health';
/**
 * Options of both methods. Names of services have at most 30 bytes. The error text repeats the requested name, so the
 * size limit of the request also limits the error text.
 */
const ONE_REQUEST = { takesMany: false, requestBytesMax: 1_024 } as const;

interface Watch {
  readonly service: string;
  sent: number;
}

/**
 * The service `grpc.health.v1.Health`, which java-tron does not have. All services of the server have the same status.
 * The empty name represents the server itself.
 */
export class HealthService {
  /** Methods by full name, such as `grpc.health.v1.Health/Check`. */
  readonly methods: ReadonlyMap<string, CallMethod> = new Map([
    [`${HEALTH_SERVICE}/Check`, { ...ONE_REQUEST, handle: (request, call) => this.check(request, call) }],
    [`${HEALTH_SERVICE}/Watch`, { ...ONE_REQUEST, handle: (request, call) => this.watch(request, call) }],
  ]);
  private readonly known: ReadonlySet<string>;
  private readonly isReady: () => boolean;
  private readonly watches = new Map<ServerCall, Watch>();
  /** Timer for all `Watch` calls together. The timer runs only while `Watch` calls are open. */
  private timer: NodeJS.Timeout | undefined;

  /** @param services full names of the services of the port */
  constructor(services: readonly string[], isReady: () => boolean) {
    this.known = new Set(['', ...services, HEALTH_SERVICE]);
    this.isReady = isReady;
  }

  /** Ends all open `Watch` calls. */
  close(): void {
    for (const call of this.watches.keys()) call.end(GOOD);
    clearInterval(this.timer);
  }

  private check(request: Buffer, call: ServerCall): void {
    const service = serviceIn(request);
    const status = this.statusOf(service, this.readiness());
    if (status === SERVICE_UNKNOWN) call.end(refusal(GrpcStatus.NOT_FOUND, `unknown service ${service}`));
    else call.answer({ ...GOOD, bytes: Uint8Array.of(STATUS_TAG, status) });
  }

  private watch(request: Buffer, call: ServerCall): void {
    const watch = { service: serviceIn(request), sent: -1 };
    this.watches.set(call, watch);
    call.stream.once('close', () => {
      this.watches.delete(call);
      if (this.watches.size > 0) return;
      clearInterval(this.timer);
      this.timer = undefined;
    });
    this.report(call, watch, this.readiness());
    this.timer ??= setInterval(() => {
      // Computing the readiness reads the free space of the disk, so the readiness is computed once for all calls.
      const ready = this.readiness();
      for (const [each, its] of this.watches) this.report(each, its, ready);
    }, WATCH_MS).unref();
  }

  private report(call: ServerCall, watch: Watch, ready: number): void {
    const status = this.statusOf(watch.service, ready);
    if (status === watch.sent) return;
    watch.sent = status;
    call.send(Uint8Array.of(STATUS_TAG, status));
  }

  private readiness(): number {
    return this.isReady() ? SERVING : NOT_SERVING;
  }

  private statusOf(service: string, ready: number): number {
    return this.known.has(service) ? ready : SERVICE_UNKNOWN;
  }
}

/** Decodes a HealthCheckRequest and returns the name of the service. @throws {Error} the message is malformed */
function serviceIn(request: Buffer): string {
  const reader = protobuf.Reader.create(request);
  let service = '';
  while (reader.pos < reader.len) {
    const tag = reader.uint32();
    if (tag === SERVICE_TAG) service = reader.string();
    else reader.skipType(tag & 7);
  }
  return service;
}
