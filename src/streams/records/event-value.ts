/**
 * A value of an event, independent of the format. Integers are exact. Bytes are hex in JSON; a string for a protobuf
 * bytes field is hex. Members with the value `undefined` are omitted.
 */
export type EventValue =
  | null
  | boolean
  | number
  | bigint
  | string
  | Uint8Array
  | PrintedJson
  | readonly EventValue[]
  | EventMap
  | EventObject;

/** An object with members in the order of the JSON output. */
export interface EventObject {
  readonly [name: string]: EventValue | undefined;
}

/** An object whose member names are data. */
export type EventMap = ReadonlyMap<string, EventValue>;

/** JSON text that the message printer has already written. */
export class PrintedJson {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}
