import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { Teardown } from '../devnet.js';
import { CERTIFICATE, CERTIFICATE_KEY } from './certificate.js';

/** A registration of a schema that the server has received. */
interface Registration {
  readonly subject: string;
  readonly schemaType: string;
  readonly schema: string;
  readonly authorization: string | undefined;
}

interface RegistryServerOptions {
  /** Port. Default: a free port. */
  readonly port?: number;
  /** True for TLS with {@link CERTIFICATE}, which clients must have too. */
  readonly isSecure?: boolean;
}

/**
 * A schema registry that supports only the request that a sink sends, as described in the documentation of Confluent.
 */
export class RegistryServer {
  /** All registrations in order, including repeated ones. */
  readonly registrations: Registration[] = [];
  /** If set, the server answers registrations with this instead of an id. */
  refusal: { readonly status: number; readonly body: string } | undefined;
  private readonly ids = new Map<string, number>();
  private readonly server: Server;

  private constructor(server: Server) {
    this.server = server;
  }

  /** @param firstId id of the first schema. Later schemas get the following ids. */
  static async start(
    t: Teardown,
    firstId: number,
    { port = 0, isSecure = false }: RegistryServerOptions = {},
  ): Promise<RegistryServer> {
    const listener: RequestListener = (request, reply) => {
      registry.answer(request).then(
        ({ status, body }) => reply.writeHead(status, { 'content-type': 'application/json' }).end(body),
        (error: unknown) => reply.writeHead(500).end(String(error)),
      );
    };
    const files = { cert: CERTIFICATE, key: CERTIFICATE_KEY, ca: CERTIFICATE };
    const server = isSecure
      ? createSecureServer({ ...files, requestCert: true, rejectUnauthorized: true }, listener)
      : createServer(listener);
    const registry = new RegistryServer(server);
    registry.nextId = firstId;
    await new Promise<void>((resolve) => {
      server.listen(port, '127.0.0.1', resolve);
    });
    t.teardown(() => registry.close());
    return registry;
  }

  private nextId = 1;

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private async answer(request: IncomingMessage): Promise<{ readonly status: number; readonly body: string }> {
    const [, subject] = /^(?:\/registry)?\/subjects\/([^/]+)\/versions$/.exec(request.url ?? '') ?? [];
    if (request.method !== 'POST' || subject === undefined)
      return { status: 404, body: '{"error_code":404,"message":"HTTP 404 Not Found"}' };
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const { schemaType, schema } = JSON.parse(Buffer.concat(chunks).toString()) as Registration;
    const { authorization } = request.headers;
    this.registrations.push({ subject: decodeURIComponent(subject), schemaType, schema, authorization });
    if (this.refusal !== undefined) return this.refusal;
    const id = this.ids.get(schema) ?? this.nextId++;
    this.ids.set(schema, id);
    return { status: 200, body: JSON.stringify({ id }) };
  }
}
