/**
 * A value of an event, before it has a form. Whole numbers are exact; bytes are hex in JSON, and a text where protobuf
 * has bytes is hex already. Members that are `undefined` are not there.
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

/** A thing with its members, in the order in which JSON shows them. */
export interface EventObject {
  readonly [name: string]: EventValue | undefined;
}

/** An object whose names are data. */
export type EventMap = ReadonlyMap<string, EventValue>;

/** What the printer of messages has made JSON already. */
export class PrintedJson {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}
