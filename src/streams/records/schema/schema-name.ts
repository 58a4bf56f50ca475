import type { EventTrigger } from '../../event-kinds.js';

/** Returns the value of the header `schema` of JSON records, which is the `$id` of their schema. */
export function jsonSchemaName(trigger: EventTrigger): string {
  return `tronicle/${trigger}/v1`;
}
