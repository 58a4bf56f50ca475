import { SmartContractABI } from '../../codec/generated/messages.js';
import { type AbiFunction, functionsOfAbi, standardFunctions } from '../../encoding/abi/abi-functions.js';
import { type AbiEvent, eventsOfAbi, type LogContent } from '../../encoding/abi/decode-event.js';
import { type DecodedParameter, decodeLog, decodeParameters } from '../../encoding/abi/decode-log.js';
import { type OperatorAbi, type OperatorAbis, withOperatorAbis } from '../../encoding/abi/operator-abis.js';
import { standardEvents } from '../../encoding/abi/standard-events.js';
import { toAddress } from '../../primitives/address.js';
import { itemAt } from '../../primitives/assert.js';
import { toHex } from '../../primitives/bytes.js';
import { SELECTOR_BYTES } from '../../primitives/units.js';
import type { ChainView } from '../context/api-context.js';

/** A log by its event. */
export interface NamedLog {
  readonly event: AbiEvent;
  readonly parameters: readonly DecodedParameter[];
}

/** A call by its function. */
interface NamedCall {
  readonly function: AbiFunction;
  readonly parameters: readonly DecodedParameter[];
}

interface KnownAbi extends OperatorAbi {
  readonly given: OperatorAbi | undefined;
}

/** ABIs that are kept at once: some 20 kB each. */
const KEPT_MAX = 500;

/** Events and functions of contracts by the ABIs that were given, else by those of one state, each read once. */
export class ContractAbis {
  private readonly view: () => ChainView;
  private readonly given: OperatorAbis | undefined;
  private readonly known = new Map<string, KnownAbi>();

  /** @param view the state, for as long as a turn lasts */
  constructor(view: () => ChainView, given?: OperatorAbis) {
    this.view = view;
    this.given = given;
  }

  /** Undefined for a log of which neither the ABI nor a token standard knows the event. */
  decode(contract: Uint8Array, log: LogContent): NamedLog | undefined {
    const hash = toHex(log.topics[0] ?? new Uint8Array(0));
    const own = this.abiOf(contract).events.get(hash);
    for (const event of own === undefined ? (standardEvents.get(hash) ?? []) : [own]) {
      const parameters = decodeLog(event, log);
      if (parameters !== undefined) return { event, parameters };
    }
    return undefined;
  }

  /** Hashes (hex) of the events of a name. */
  topicsOf(contract: Uint8Array, name: string): string[] {
    const own = [...this.abiOf(contract).events];
    const standard = [...standardEvents].flatMap(([hash, events]) =>
      events.slice(0, 1).map((event) => [hash, event] as const),
    );
    return [...new Set([...own, ...standard].filter(([, event]) => event.name === name).map(([hash]) => hash))];
  }

  /**
   * Undefined for data that neither the ABI nor a token standard has a function for.
   * @param data of a call: selector, then parameters
   */
  decodeCall(contract: Uint8Array, data: Uint8Array): NamedCall | undefined {
    if (data.length < SELECTOR_BYTES) return undefined;
    const selector = toHex(data.subarray(0, SELECTOR_BYTES));
    const called = this.abiOf(contract).functions.get(selector) ?? standardFunctions.get(selector);
    if (called === undefined) return undefined;
    const types = called.inputs.map(({ type }) => type);
    const values = decodeParameters(types, data.subarray(SELECTOR_BYTES));
    if (values === undefined) return undefined;
    const parameters = called.inputs.map(({ name, type }, at) => ({ name, type, value: itemAt(values, at) }));
    return { function: called, parameters };
  }

  private abiOf(contract: Uint8Array): KnownAbi {
    const key = toHex(contract);
    const known = this.known.get(key);
    const given = this.given?.of(key);
    if (known !== undefined && known.given === given) return known;
    const abi = this.view().state.abis.get(toAddress(contract)) ?? new SmartContractABI();
    const read = {
      events: withOperatorAbis(eventsOfAbi(abi), given?.events),
      functions: withOperatorAbis(functionsOfAbi(abi), given?.functions),
      given,
    };
    if (this.known.size >= KEPT_MAX) this.known.clear();
    this.known.set(key, read);
    return read;
  }
}

/** An event or a function as its declaration: `Transfer(address indexed from, uint256 value)`. */
export function declarationOf({ name, inputs }: AbiFunction): string {
  const parts = inputs.map((input) =>
    [input.type, input.indexed ? 'indexed' : '', input.name].filter(Boolean).join(' '),
  );
  return `${name}(${parts.join(', ')})`;
}
