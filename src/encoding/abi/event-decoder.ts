import { EMPTY_BYTES, toHex } from '../../primitives/bytes.js';
import { type AbiEntries, type AbiEvent, eventsIn, type LogContent, signatureHash } from './decode-event.js';
import { type AddressText, type DecodedParameter, decodeLog, isEncodedAs } from './decode-log.js';

/** A log with its event. */
export interface NamedLog {
  readonly event: AbiEvent;
  readonly parameters: readonly DecodedParameter[];
}

/** Decodes logs by the events of one ABI in full: structs, anonymous events, and events of one name. */
export class EventDecoder {
  /** By signature hash (hex). Events that differ only in which parameters are indexed have the same one. */
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

  /** The decoder of an ABI. */
  static of(abi: AbiEntries): EventDecoder {
    return new EventDecoder(eventsIn(abi));
  }

  /** Decodes a log by its first topic. The first event that fits counts. */
  decode(log: LogContent, addressText?: AddressText): NamedLog | undefined {
    for (const event of this.byHash.get(toHex(log.topics[0] ?? EMPTY_BYTES)) ?? []) {
      const parameters = decodeLog(event, log, addressText);
      if (parameters !== undefined) return { event, parameters };
    }
    return undefined;
  }

  /** Decodes a log by the one anonymous event that it fits. Where it fits several, none is certain. */
  decodeAnonymous(log: LogContent, addressText?: AddressText): NamedLog | undefined {
    const [event, ...others] = this.anonymous.filter((one) => isEncodedAs(one, log));
    if (event === undefined || others.length > 0) return undefined;
    const parameters = decodeLog(event, log, addressText);
    return parameters && { event, parameters };
  }

  /** First topics (hex) of the events of a name. */
  hashesOf(name: string): string[] {
    return [...this.byHash].filter(([, events]) => events.some((event) => event.name === name)).map(([hash]) => hash);
  }

  /** Whether an event of this name is anonymous: an index by first topics does not find its logs. */
  hasAnonymous(name: string): boolean {
    return this.anonymous.some((event) => event.name === name);
  }
}
