import type { EventTrigger } from '../../event-kinds.js';

/** Returns the value of the header `schema` of JSON records. It equals the `$id` of their schema. */
export function jsonSchemaName(trigger: EventTrigger): string {
  return `tronicle/${trigger}/v1`;
}
