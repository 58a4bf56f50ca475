import { readFileSync } from 'node:fs';
import { TronError } from '../../../../primitives/errors.js';
import { onFirstUse } from '../../../../primitives/on-first-use.js';
import type { EventTrigger } from '../../../event-kinds.js';
import { EVENTS_PROTO } from '../../../records/protobuf/event-types.js';
import { jsonSchemaOf } from '../../../records/schema/json-schema.js';

/** Thrown if the registry does not return the id of a schema. The sink retries. */
class SchemaRegistryError extends TronError<'SCHEMA_REGISTRY'> {
  constructor(message: string, options?: ErrorOptions) {
    super('SCHEMA_REGISTRY', message, options);
  }
}

/** A schema as the registry stores it. */
interface RegisteredSchema {
  readonly schemaType: 'JSON' | 'PROTOBUF';
  /** Text of the schema. */
  readonly schema: string;
}

const TIMEOUT_MS = 10_000;
const CONTENT_TYPE = 'application/vnd.schemaregistry.v1+json';
/** Highest allowed schema id. A record has four bytes for it. */
const ID_MAX = 0x7fff_ffff;

/** Client of a schema registry with Confluent's HTTP interface. Caches the ids that it has received. */
export class SchemaRegistry {
  /** Schema ids by subject. A sink sends only one schema per subject. */
  private readonly ids = new Map<string, number>();
  private readonly url: string;
  private readonly headers: Readonly<Record<string, string>>;

  /** @param url may contain user name and password */
  constructor(url: string) {
    const { username, password } = new URL(url);
    this.url = registryUrl(url);
    const credentials = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
    this.headers = {
      accept: CONTENT_TYPE,
      'content-type': CONTENT_TYPE,
      ...(username !== '' && { authorization: `Basic ${Buffer.from(credentials).toString('base64')}` }),
    };
  }

  /**
   * Returns the id of the schema under a subject. Registers the schema if the registry does not have it.
   * @throws {SchemaRegistryError} the registry cannot be reached, or rejects the schema
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
    if (status !== 200)
      throw new SchemaRegistryError(
        `schema registry ${this.url} rejects the schema of ${subject}: ${status} ${answer['message'] ?? text.slice(0, 200)}; ` +
          `change the compatibility of the subject, or set another topic in topicNames`,
      );
    const id = answer['id'];
    if (typeof id === 'number' && Number.isInteger(id) && id >= 0 && id <= ID_MAX) return id;
    throw new SchemaRegistryError(`schema registry ${this.url} returned no schema id for ${subject}`);
  }

  private async post(path: string, body: object): Promise<{ readonly status: number; readonly text: string }> {
    try {
      const reply = await fetch(`${this.url}/${path}`, {
        method: 'POST',
        headers: this.headers,
        body: JSON.stringify(body),
        signal: AbortSignal.timeout(TIMEOUT_MS),
      });
      return { status: reply.status, text: await reply.text() };
    } catch (cause) {
      const { message, cause: reason } = cause as Error;
      const why = reason instanceof Error ? reason.message || String((reason as NodeJS.ErrnoException).code) : message;
      throw new SchemaRegistryError(`schema registry ${this.url} cannot be reached: ${why}`, { cause });
    }
  }
}

/** Returns the URL of a registry without user name, password and final slash. */
export function registryUrl(url: string): string {
  const shown = new URL(url);
  [shown.username, shown.password] = ['', ''];
  return shown.href.replace(/\/$/, '');
}

function parsed(text: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}

const protobufText = onFirstUse(() => ({ schema: readFileSync(EVENTS_PROTO, 'utf8') }));

/** Returns the schema of all protobuf records. */
export function protobufSchema(): RegisteredSchema {
  return { schemaType: 'PROTOBUF', ...protobufText() };
}

/** Returns the schema of the JSON records of a trigger. */
export function jsonSchema(trigger: EventTrigger): RegisteredSchema {
  return { schemaType: 'JSON', schema: JSON.stringify(jsonSchemaOf(trigger)) };
}

/** Returns the index of a message in the protobuf schema, by its full name. */
export function messageIndex(fullName: string): number {
  const names = [...protobufText().schema.matchAll(/^message (\w+)/gm)].map(([, name]) => name);
  return names.indexOf(fullName.slice(fullName.lastIndexOf('.') + 1));
}
