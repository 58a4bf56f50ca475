/**
 * A value of an event, before it is encoded as JSON or protobuf. Integers are exact. JSON has bytes as hex text. A
 * protobuf field of type `bytes` has the bytes themselves, also if the value is hex text. Fields with the value
 * `undefined` are omitted.
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

/** An object. Its fields have the order of the JSON output. */
export interface EventObject {
  readonly [name: string]: EventValue | undefined;
}

/** A map with arbitrary keys, for example the names of event parameters. */
export type EventMap = ReadonlyMap<string, EventValue>;

/** JSON text that the message printer has already produced. */
export class PrintedJson {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}
