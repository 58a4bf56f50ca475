import { readFileSync } from 'node:fs';
import { onFirstUse } from '../../../../primitives/on-first-use.js';
import type { EventTrigger } from '../../../event-kinds.js';
import { avroSchemaOf } from '../../../records/avro/avro-schema.js';
import type { EventOptions } from '../../../records/event-options.js';
import { EVENTS_PROTO } from '../../../records/protobuf/event-types.js';
import { jsonSchemaOf } from '../../../records/schema/json-schema.js';

/** A schema as the registry stores it. */
export interface RegisteredSchema {
  readonly schemaType: 'JSON' | 'PROTOBUF' | 'AVRO';
  /** Text of the schema. */
  readonly schema: string;
}

/** Returns the schema of the records of a trigger. All protobuf records have the same schema. */
export function registeredSchema(format: EventOptions['payload'], trigger: EventTrigger): RegisteredSchema {
  switch (format) {
    case 'json':
      return { schemaType: 'JSON', schema: JSON.stringify(jsonSchemaOf(trigger)) };
    case 'protobuf':
      return { schemaType: 'PROTOBUF', ...protobufText() };
    case 'avro':
      return { schemaType: 'AVRO', schema: JSON.stringify(avroSchemaOf(trigger)) };
  }
}

const protobufText = onFirstUse(() => ({ schema: readFileSync(EVENTS_PROTO, 'utf8') }));

/** Returns the index of a message in the protobuf schema, by its full name. */
export function messageIndex(fullName: string): number {
  const names = [...protobufText().schema.matchAll(/^message (\w+)/gm)].map(([, name]) => name);
  return names.indexOf(fullName.slice(fullName.lastIndexOf('.') + 1));
}
