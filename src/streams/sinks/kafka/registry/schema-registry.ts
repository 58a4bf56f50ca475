import { TronError } from '../../../../primitives/errors.js';
import { SinkError } from '../../../sink-error.js';
import type { TlsFiles } from '../kafka-options.js';
import type { RegisteredSchema } from './registered-schemas.js';
import { postJson } from './registry-request.js';
import { registryUrl } from './registry-url.js';

/** Thrown if the registry does not return the id of a schema, and a retry may help. The sink retries. */
class SchemaRegistryError extends TronError<'SCHEMA_REGISTRY'> {
  constructor(message: string, options?: ErrorOptions) {
    super('SCHEMA_REGISTRY', message, options);
  }
}

interface SchemaRegistryOptions {
  /** URL of the registry. It may contain user name and password. */
  readonly url: string;
  readonly tls?: TlsFiles | undefined;
  /** Maximum time of a request in ms. Default: {@link TIMEOUT_MS}. */
  readonly timeoutMs?: number;
}

const TIMEOUT_MS = 10_000;
const CONTENT_TYPE = 'application/vnd.schemaregistry.v1+json';
/** Highest allowed schema id. A record has four bytes for it. */
const ID_MAX = 0x7fff_ffff;

/** Status codes with which a registry rejects a schema that is incompatible with an earlier version, or invalid. */
const INCOMPATIBLE = 409;
const INVALID = 422;

/** Client of a schema registry with Confluent's HTTP interface. Caches the ids that it has received. */
export class SchemaRegistry {
  /** Schema ids by subject. A sink sends only one schema per subject. */
  private readonly ids = new Map<string, number>();
  private readonly url: string;
  private readonly tls: TlsFiles;
  private readonly timeoutMs: number;
  private readonly headers: Readonly<Record<string, string>>;

  constructor({ url, tls = {}, timeoutMs = TIMEOUT_MS }: SchemaRegistryOptions) {
    const { username, password } = new URL(url);
    this.url = registryUrl(url);
    this.tls = tls;
    this.timeoutMs = timeoutMs;
    const credentials = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
    this.headers = {
      accept: CONTENT_TYPE,
      'content-type': CONTENT_TYPE,
      ...(username !== '' && { authorization: `Basic ${Buffer.from(credentials).toString('base64')}` }),
    };
  }

  /**
   * Returns the id of the schema under a subject. Registers the schema if the registry does not have it.
   * @throws {SinkError} the registry rejects the schema, for example because it is incompatible with an earlier version
   * @throws {SchemaRegistryError} the registry cannot be reached, or answers with another error
   */
  async idOf(subject: string, schema: RegisteredSchema): Promise<number> {
    const known = this.ids.get(subject);
    if (known !== undefined) return known;
    const id = await this.register(subject, schema);
    this.ids.set(subject, id);
    return id;
  }

  private async register(subject: string, schema: RegisteredSchema): Promise<number> {
    const { status, text } = await this.post(`subjects/${encodeURIComponent(subject)}/versions`, schema);
    const answer = parsed(text);
    const what = `${status} ${answer['message'] ?? text.slice(0, 200)}`;
    if (status === INCOMPATIBLE || status === INVALID)
      throw new SinkError(
        `schema registry ${this.url} rejects the ${schema.schemaType} schema of ${subject}: ${what}; change the ` +
          `compatibility of the subject, or set another topic in topicNames; then resume the sink`,
      );
    if (status !== 200)
      throw new SchemaRegistryError(`schema registry ${this.url} did not register the schema of ${subject}: ${what}`);
    const id = answer['id'];
    if (typeof id === 'number' && Number.isInteger(id) && id >= 0 && id <= ID_MAX) return id;
    throw new SchemaRegistryError(`schema registry ${this.url} returned no schema id for ${subject}`);
  }

  private async post(path: string, body: object): ReturnType<typeof postJson> {
    const { headers, tls, timeoutMs } = this;
    try {
      return await postJson({ url: `${this.url}/${path}`, headers, body, tls, timeoutMs });
    } catch (cause) {
      // If a name such as `localhost` has several addresses, their common error has a code, but no message.
      const { message, code } = cause as NodeJS.ErrnoException;
      throw new SchemaRegistryError(`schema registry ${this.url} cannot be reached: ${message || code}`, { cause });
    }
  }
}

function parsed(text: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}
