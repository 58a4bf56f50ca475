/**
 * A value of an event, before it is encoded in a format. Integers are exact. In JSON, bytes are written as hex. In
 * protobuf, a string for a field of type `bytes` is read as hex. Members with the value `undefined` are omitted.
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

/** A map: an object with arbitrary member names. */
export type EventMap = ReadonlyMap<string, EventValue>;

/** JSON text that the message printer has already produced. */
export class PrintedJson {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}
