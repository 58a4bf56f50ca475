import {
  SmartContractABIEntryEntryType as EntryType,
  SmartContractABI,
  SmartContractABIEntry,
  SmartContractABIEntryParam,
} from '../../codec/generated/messages.js';
import { type AbiEvent, eventsOfAbi } from './decode-event.js';

/** A word behind a name marks an indexed parameter. */
type Declared = readonly [type: string, name: string, indexed?: 'indexed'];

/** Of TRC1155. */
const MOVED: readonly Declared[] = [
  ['address', 'operator', 'indexed'],
  ['address', 'from', 'indexed'],
  ['address', 'to', 'indexed'],
];

const declared: readonly (readonly [name: string, ...inputs: Declared[]])[] = [
  ['Transfer', ['address', 'from', 'indexed'], ['address', 'to', 'indexed'], ['uint256', 'value']],
  ['Transfer', ['address', 'from', 'indexed'], ['address', 'to', 'indexed'], ['uint256', 'tokenId', 'indexed']],
  ['Approval', ['address', 'owner', 'indexed'], ['address', 'spender', 'indexed'], ['uint256', 'value']],
  ['Approval', ['address', 'owner', 'indexed'], ['address', 'approved', 'indexed'], ['uint256', 'tokenId', 'indexed']],
  ['ApprovalForAll', ['address', 'owner', 'indexed'], ['address', 'operator', 'indexed'], ['bool', 'approved']],
  ['TransferSingle', ...MOVED, ['uint256', 'id'], ['uint256', 'value']],
  ['TransferBatch', ...MOVED, ['uint256[]', 'ids'], ['uint256[]', 'values']],
];

/**
 * Events of TRC20, TRC721 and TRC1155 by their hashes (hex). A contract that a contract made has no ABI on the chain,
 * and one behind a proxy that of the proxy. The events of the first two have the same hashes; which one it is shows in
 * what is indexed.
 */
export const standardEvents: ReadonlyMap<string, readonly AbiEvent[]> = new Map();
for (const [name, ...inputs] of declared) {
  for (const [hash, event] of eventsOfAbi(abiOf(name, inputs))) {
    const map = standardEvents as Map<string, AbiEvent[]>;
    map.set(hash, [...(map.get(hash) ?? []), event]);
  }
}

function abiOf(name: string, inputs: readonly Declared[]): SmartContractABI {
  const entry = Object.assign(new SmartContractABIEntry(), {
    type: EntryType.Event,
    name,
    inputs: inputs.map(([type, label, indexed]) =>
      Object.assign(new SmartContractABIEntryParam(), { type, name: label, indexed: indexed === 'indexed' }),
    ),
  });
  return Object.assign(new SmartContractABI(), { entrys: [entry] });
}
