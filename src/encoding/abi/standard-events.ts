import { SmartContractABIEntryEntryType as EntryType } from '../../codec/generated/messages.js';
import { EventDecoder } from './event-decoder.js';

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
 * Events of TRC20, TRC721 and TRC1155. A contract that a contract made has no ABI on the chain, and one behind a proxy
 * that of the proxy. The events of the first two have the same hashes; which one it is shows in what is indexed.
 */
export const standardEvents = EventDecoder.of({
  entrys: declared.map(([name, ...inputs]) => ({
    type: EntryType.Event,
    name,
    anonymous: false,
    inputs: inputs.map(([type, label, indexed]) => ({ type, name: label, indexed: indexed === 'indexed' })),
  })),
});
