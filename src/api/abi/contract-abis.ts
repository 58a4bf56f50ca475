import { SmartContractABI } from '../../codec/generated/messages.js';
import { type AbiFunction, functionsOfAbi, standardFunctions } from '../../encoding/abi/abi-functions.js';
import type { AbiInput, AbiParameter } from '../../encoding/abi/abi-type.js';
import type { LogContent } from '../../encoding/abi/decode-event.js';
import { type AddressText, type DecodedParameter, decodeInputs } from '../../encoding/abi/decode-log.js';
import { EventDecoder, type NamedLog } from '../../encoding/abi/event-decoder.js';
import { type OperatorAbi, type OperatorAbis, withOperatorAbis } from '../../encoding/abi/operator-abis.js';
import { standardEvents } from '../../encoding/abi/standard-events.js';
import { toAddress } from '../../primitives/address.js';
import { itemAt } from '../../primitives/assert.js';
import { toHex } from '../../primitives/bytes.js';
import { SELECTOR_BYTES } from '../../primitives/units.js';
import type { ChainView } from '../context/api-context.js';

/** A call by its function. */
interface NamedCall {
  readonly function: AbiFunction;
  readonly parameters: readonly DecodedParameter[];
}

interface KnownAbi {
  readonly given: OperatorAbi | undefined;
  /** By selector (hex). */
  readonly functions: ReadonlyMap<string, AbiFunction>;
  /** The first one that knows the event counts. */
  readonly decoders: readonly EventDecoder[];
}

/** ABIs that are kept at once: some 20 kB each. */
const KEPT_MAX = 500;

/** Events and functions of contracts by the ABIs that were given, else by those of one state, each read once. */
export class ContractAbis {
  private readonly view: () => ChainView;
  private readonly given: OperatorAbis | undefined;
  private readonly addressText: AddressText | undefined;
  private readonly known = new Map<string, KnownAbi>();

  /**
   * @param view the state, for as long as a turn lasts
   * @param addressText absent: addresses are written as Ethereum does
   */
  constructor(view: () => ChainView, given?: OperatorAbis, addressText?: AddressText) {
    this.view = view;
    this.given = given;
    this.addressText = addressText;
  }

  /** Undefined for a log of which neither the ABI nor a token standard knows the event. */
  decode(contract: Uint8Array, log: LogContent): NamedLog | undefined {
    const { decoders } = this.abiOf(contract);
    // A first topic that is the hash of a signature is certain, the form of an anonymous event less so.
    for (const decoder of decoders) {
      const named = decoder.decode(log, this.addressText);
      if (named !== undefined) return named;
    }
    for (const decoder of decoders) {
      const named = decoder.decodeAnonymous(log, this.addressText);
      if (named !== undefined) return named;
    }
    return undefined;
  }

  /** First topics (hex) of the events of a name. */
  topicsOf(contract: Uint8Array, name: string): string[] {
    return [...new Set(this.abiOf(contract).decoders.flatMap((decoder) => decoder.hashesOf(name)))];
  }

  /** Whether logs of events of this name may have any first topic, or none. */
  hasAnonymous(contract: Uint8Array, name: string): boolean {
    return this.abiOf(contract).decoders.some((decoder) => decoder.hasAnonymous(name));
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
    const values = decodeInputs(called.inputs, data.subarray(SELECTOR_BYTES), this.addressText);
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
      decoders: [...(given === undefined ? [] : [given.decoder]), EventDecoder.of(abi), standardEvents],
      functions: withOperatorAbis(functionsOfAbi(abi), given?.functions),
      given,
    };
    if (this.known.size >= KEPT_MAX) this.known.clear();
    this.known.set(key, read);
    return read;
  }
}

/** An event or a function as its declaration: `Transfer(address indexed from, uint256 value)`. */
export function declarationOf({ name, inputs }: Pick<AbiFunction, 'name' | 'inputs'>): string {
  return `${name}(${inputs.map(inputText).join(', ')})`;
}

function inputText({ indexed, ...parameter }: AbiInput): string {
  return parameterText(parameter, indexed ? 'indexed' : '');
}

/** A struct is spelled by its members, with the names that the ABI gives them. */
function parameterText({ name, type, components }: AbiParameter, modifier = ''): string {
  const shown =
    components === undefined
      ? type
      : `(${components.map((component) => parameterText(component)).join(', ')})${/(?:\[\d*\])*$/.exec(type)?.[0] ?? ''}`;
  return [shown, modifier, name].filter(Boolean).join(' ');
}
