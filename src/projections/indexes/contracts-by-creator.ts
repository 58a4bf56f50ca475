import { CreateSmartContract, TransactionInfoCode } from '../../codec/generated/messages.js';
import { ADDRESS_BYTES } from '../../primitives/address.js';
import { toHex } from '../../primitives/bytes.js';
import type { StoredTransaction } from '../../state-transition/block/stored-transaction.js';
import { defineIndex } from './index-definition.js';

/** Field `note` of an internal transaction that creates a contract, in hex. */
const CREATE_NOTE = toHex(Buffer.from('create'));

interface Creation {
  readonly creator: Uint8Array;
  readonly contract: Uint8Array;
  readonly name: string;
}

/** Contracts by creator: the account or contract that created them. */
export const contractsByCreator = defineIndex({
  name: 'contracts-by-creator',
  version: 1,
  description: 'contracts that this account or contract created',
  address: 'the creator: the sender of a creating transaction, or the contract that executed CREATE or CREATE2',
  columns: {
    contract: { type: 'address', description: 'Address of the created contract.' },
    name: {
      type: 'text',
      description: 'Name of the contract in the creating transaction. Empty if another contract created the contract.',
    },
  },
  rowsOf: ({ transactions }) =>
    transactions.flatMap((transaction) =>
      creationsOf(transaction).map(({ creator, contract, name }, at) => ({
        address: creator,
        transaction: transaction.index,
        at,
        values: { contract, name },
      })),
    ),
});

/**
 * Returns the contracts that a successful transaction created. For a deploy transaction, the deployed contract is
 * first.
 */
function creationsOf({ info, parameter, internal }: StoredTransaction): readonly Creation[] {
  if (info === undefined || info.result === TransactionInfoCode.FAILED) return [];
  const own: Creation[] =
    parameter instanceof CreateSmartContract
      ? [{ creator: parameter.ownerAddress, contract: info.contractAddress, name: parameter.newContract?.name ?? '' }]
      : [];
  const inner = internal
    .filter(({ rejected, note }) => !rejected && toHex(note) === CREATE_NOTE)
    .map(({ callerAddress, transferToAddress }) => ({ creator: callerAddress, contract: transferToAddress, name: '' }));
  return [...own, ...inner].filter(
    ({ creator, contract }) => creator.length === ADDRESS_BYTES && contract.length === ADDRESS_BYTES,
  );
}
