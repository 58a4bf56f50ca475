import { SmartContractABIEntryEntryType as EntryType } from '../../codec/generated/messages.js';
import { EventDecoder } from './event-decoder.js';

/** Declaration of a parameter. The optional third element marks it as indexed. */
type Declared = readonly [type: string, name: string, indexed?: 'indexed'];

/** First parameters of the transfer events of TRC1155. All of them are indexed. */
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
 * Events of TRC20, TRC721 and TRC1155. They decode logs of contracts that have no ABI on the chain, or that are called
 * through a proxy. TRC20 and TRC721 events with equal signature hashes differ in the number of indexed parameters.
 */
export const standardEvents = EventDecoder.of({
  entrys: declared.map(([name, ...inputs]) => ({
    type: EntryType.Event,
    name,
    anonymous: false,
    inputs: inputs.map(([type, label, indexed]) => ({ type, name: label, indexed: indexed === 'indexed' })),
  })),
});
