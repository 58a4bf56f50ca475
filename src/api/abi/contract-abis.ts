import { SmartContractABI, type SmartContractABIEntry } from '../../log/codec/generated/messages.js';
import { toAddress } from '../../log/domain/address.js';
import { toHex } from '../../log/domain/bytes.js';
import type { ChainView } from '../api-context.js';
import { type AbiEvent, eventsOfAbi, type LogContent } from '../streams/triggers/decode-event.js';
import { type DecodedParameter, decodeLog } from './decode-log.js';
import { standardEvents } from './standard-events.js';

/** A log by its event. */
export interface NamedLog {
  readonly event: AbiEvent;
  readonly parameters: readonly DecodedParameter[];
}

/** Events of contracts by their ABIs in one state, each ABI read once. */
export class ContractAbis {
  private readonly view: () => ChainView;
  private readonly known = new Map<string, ReadonlyMap<string, AbiEvent>>();

  /** @param view the state, for as long as a turn lasts */
  constructor(view: () => ChainView) {
    this.view = view;
  }

  /** Undefined for a log of which neither the ABI nor a token standard knows the event. */
  decode(contract: Uint8Array, log: LogContent): NamedLog | undefined {
    const hash = toHex(log.topics[0] ?? new Uint8Array(0));
    const own = this.eventsOf(contract).get(hash);
    for (const event of own === undefined ? (standardEvents.get(hash) ?? []) : [own]) {
      const parameters = decodeLog(event, log);
      if (parameters !== undefined) return { event, parameters };
    }
    return undefined;
  }

  /** Hashes (hex) of the events of a name. */
  topicsOf(contract: Uint8Array, name: string): string[] {
    const own = [...this.eventsOf(contract)];
    const standard = [...standardEvents].map(([hash, [event]]) => [hash, event!] as const);
    return [...new Set([...own, ...standard].filter(([, event]) => event.name === name).map(([hash]) => hash))];
  }

  private eventsOf(contract: Uint8Array): ReadonlyMap<string, AbiEvent> {
    const key = toHex(contract);
    const known = this.known.get(key);
    if (known !== undefined) return known;
    const events = eventsOfAbi(this.view().state.abis.get(toAddress(contract)) ?? new SmartContractABI());
    this.known.set(key, events);
    return events;
  }
}

/** An event as its declaration: `Transfer(address indexed from, uint256 value)`. */
export function declarationOf({ name, inputs }: Pick<SmartContractABIEntry, 'name' | 'inputs'>): string {
  const parts = inputs.map((input) =>
    [input.type, input.indexed ? 'indexed' : '', input.name].filter(Boolean).join(' '),
  );
  return `${name}(${parts.join(', ')})`;
}
