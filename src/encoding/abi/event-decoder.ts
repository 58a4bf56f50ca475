import { EMPTY_BYTES, toHex } from '../../primitives/bytes.js';
import { type AbiEntries, type AbiEvent, eventsIn, type LogContent, signatureHash } from './decode-event.js';
import { type AddressText, type DecodedParameter, decodeLog, isEncodedAs } from './decode-log.js';

/** An event and the parameters that its log contains. */
export interface NamedLog {
  readonly event: AbiEvent;
  readonly parameters: readonly DecodedParameter[];
}

/**
 * Decodes logs with the events of an ABI. Also decodes structs, anonymous events, and overloaded events (several events
 * with one name).
 */
export class EventDecoder {
  /** Events by signature hash (hex). Events that differ only in their indexed parameters have the same hash. */
  private readonly byHash = new Map<string, readonly AbiEvent[]>();
  private readonly anonymous: readonly AbiEvent[];

  constructor(events: readonly AbiEvent[]) {
    this.anonymous = events.filter((event) => event.anonymous === true);
    for (const event of events) {
      if (event.anonymous === true) continue;
      const hash = signatureHash(event);
      this.byHash.set(hash, [...(this.byHash.get(hash) ?? []), event]);
    }
  }

  /** Creates the decoder of an ABI. */
  static of(abi: AbiEntries): EventDecoder {
    return new EventDecoder(eventsIn(abi));
  }

  /** Decodes a log by its first topic. Uses the first event that matches. Returns undefined if no event matches. */
  decode(log: LogContent, addressText?: AddressText): NamedLog | undefined {
    for (const event of this.byHash.get(toHex(log.topics[0] ?? EMPTY_BYTES)) ?? []) {
      const parameters = decodeLog(event, log, addressText);
      if (parameters !== undefined) return { event, parameters };
    }
    return undefined;
  }

  /** Decodes a log by the anonymous event that matches. Returns undefined if no event or several events match. */
  decodeAnonymous(log: LogContent, addressText?: AddressText): NamedLog | undefined {
    const [event, ...others] = this.anonymous.filter((one) => isEncodedAs(one, log));
    if (event === undefined || others.length > 0) return undefined;
    const parameters = decodeLog(event, log, addressText);
    return parameters && { event, parameters };
  }

  /** Returns the first topics (hex) of all events with a name. */
  hashesOf(name: string): string[] {
    return [...this.byHash].filter(([, events]) => events.some((event) => event.name === name)).map(([hash]) => hash);
  }

  /** Returns true if an event with this name is anonymous, so that an index by first topic does not find its logs. */
  hasAnonymous(name: string): boolean {
    return this.anonymous.some((event) => event.name === name);
  }
}
