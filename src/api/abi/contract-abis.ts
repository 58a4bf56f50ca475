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

/** A decoded call of a contract function. */
interface NamedCall {
  readonly function: AbiFunction;
  readonly parameters: readonly DecodedParameter[];
}

interface KnownAbi {
  readonly operatorAbi: OperatorAbi | undefined;
  /** Functions by selector (hex). */
  readonly functions: ReadonlyMap<string, AbiFunction>;
  /** Event decoders, in the order in which they are tried. */
  readonly decoders: readonly EventDecoder[];
}

/** Maximum number of cached ABIs. Each needs about 20 kB of memory. */
const KEPT_MAX = 500;

/**
 * Decodes events and calls. Tries the ABI of the operator first, then the ABI in the state, then token standards.
 * Caches each parsed ABI.
 */
export class ContractAbis {
  private readonly view: () => ChainView;
  private readonly operatorAbis: OperatorAbis | undefined;
  private readonly addressText: AddressText | undefined;
  private readonly known = new Map<string, KnownAbi>();

  /**
   * @param view returns the state from which ABIs are read; the state is valid for one turn of the event loop
   * @param addressText formats addresses; if undefined, addresses have Ethereum's form
   */
  constructor(view: () => ChainView, operatorAbis?: OperatorAbis, addressText?: AddressText) {
    this.view = view;
    this.operatorAbis = operatorAbis;
    this.addressText = addressText;
  }

  /** Decodes a log. Returns undefined if no ABI and no token standard has the event. */
  decode(contract: Uint8Array, log: LogContent): NamedLog | undefined {
    const { decoders } = this.abiOf(contract);
    // Anonymous events are tried last. A matching signature hash identifies an event, but an anonymous event is only a
    // guess.
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

  /**
   * Returns the first topic (hex) of each non-anonymous event with the given name. Overloaded events have different
   * first topics.
   */
  topicsOf(contract: Uint8Array, name: string): string[] {
    return [...new Set(this.abiOf(contract).decoders.flatMap((decoder) => decoder.hashesOf(name)))];
  }

  /**
   * Returns true if a contract has an anonymous event with the given name. Logs of an anonymous event contain no
   * signature hash: their first topic can have any value, or can be missing.
   */
  hasAnonymous(contract: Uint8Array, name: string): boolean {
    return this.abiOf(contract).decoders.some((decoder) => decoder.hasAnonymous(name));
  }

  /**
   * Decodes a call. Returns undefined if no ABI and no token standard has the function.
   * @param data function selector and encoded parameters
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
    const operatorAbi = this.operatorAbis?.of(key);
    if (known !== undefined && known.operatorAbi === operatorAbi) return known;
    const abi = this.view().state.abis.get(toAddress(contract)) ?? new SmartContractABI();
    const read = {
      decoders: [...(operatorAbi === undefined ? [] : [operatorAbi.decoder]), EventDecoder.of(abi), standardEvents],
      functions: withOperatorAbis(functionsOfAbi(abi), operatorAbi?.functions),
      operatorAbi,
    };
    if (this.known.size >= KEPT_MAX) this.known.clear();
    this.known.set(key, read);
    return read;
  }
}

/** Returns the declaration of an event or a function, for example `Transfer(address indexed from, uint256 value)`. */
export function declarationOf({ name, inputs }: Pick<AbiFunction, 'name' | 'inputs'>): string {
  return `${name}(${inputs.map(inputText).join(', ')})`;
}

function inputText({ indexed, ...parameter }: AbiInput): string {
  return parameterText(parameter, indexed ? 'indexed' : '');
}

/** Returns the declaration of a parameter. For a struct, this is the list of its members. */
function parameterText({ name, type, components }: AbiParameter, modifier = ''): string {
  const shown =
    components === undefined
      ? type
      : `(${components.map((component) => parameterText(component)).join(', ')})${/(?:\[\d*\])*$/.exec(type)?.[0] ?? ''}`;
  return [shown, modifier, name].filter(Boolean).join(' ');
}
