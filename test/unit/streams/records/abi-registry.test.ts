import t, { type Test } from 'tap';
import {
  TransactionResultContractResult as ContractResult,
  TransactionContractContractType as ContractType,
  CreateSmartContract,
  SmartContractABIEntryEntryType as EntryType,
  SmartContract,
  SmartContractABI,
  SmartContractABIEntry,
  Transaction,
  TransactionContract,
  TransactionInfo,
  TransactionResult,
} from '../../../../src/codec/generated/messages.js';
import { toHex } from '../../../../src/primitives/bytes.js';
import type { Ledger } from '../../../../src/projections/ledger/ledger.js';
import type { RowChange } from '../../../../src/projections/state/state-reader.js';
import { type StoreId, storeId } from '../../../../src/projections/state/stores.js';
import type { BlockContent } from '../../../../src/streams/follow/block-content.js';
import { AbiRegistry, changesOf, factsOf } from '../../../../src/streams/records/abi-registry.js';
import { temporaryFolder } from '../../../support/temporary-folder.js';

const START = 100;
const CONTRACT = Buffer.from(`41${'0c'.repeat(20)}`, 'hex');
const CREATOR = Buffer.from(`41${'0a'.repeat(20)}`, 'hex');

const contractRow = SmartContract.encode(
  Object.assign(new SmartContract(), { originAddress: CREATOR, contractAddress: CONTRACT }),
);
const event = Object.assign(new SmartContractABIEntry(), { type: EntryType.Event, name: 'Seen' });
const abiRow = SmartContractABI.encode(Object.assign(new SmartContractABI(), { entrys: [event] }));

/**
 * Returns a registry over a log that starts above block 100. A test may modify the rows and the changes of its state.
 */
function bookOf(t: Test) {
  const state = new Map<StoreId, Uint8Array>([
    [storeId('contract'), contractRow],
    [storeId('abi'), abiRow],
  ]);
  const changes = new Map<number, RowChange[]>();
  const ledger = {
    startNumber: START,
    head: { get: (store: StoreId) => state.get(store) },
    block: (number: number) => ({ seq: number, number }),
    changes: (seq: number) => ({ rows: changes.get(seq) ?? [] }),
  } as unknown as Ledger;
  const book = new AbiRegistry(ledger, temporaryFolder(t));
  t.teardown(() => book.close());
  return { book, state, changes };
}

const empty = (number: number): Pick<BlockContent, 'number' | 'transactions'> => ({ number, transactions: [] });

/** Returns a transaction that creates a contract with one event. */
function creationOf(contractAddress: Uint8Array) {
  const abi = SmartContractABI.decode(abiRow);
  const newContract = Object.assign(new SmartContract(), { originAddress: CREATOR, abi });
  return {
    message: Object.assign(new Transaction(), {
      ret: [Object.assign(new TransactionResult(), { contractRet: ContractResult.SUCCESS })],
    }),
    contract: Object.assign(new TransactionContract(), { type: ContractType.CreateSmartContract }),
    parameter: Object.assign(new CreateSmartContract(), { ownerAddress: CREATOR, newContract }),
    info: Object.assign(new TransactionInfo(), { contractAddress }),
    idHex: 'ab',
    internal: [],
  };
}

t.test('finds contracts older than the log in the state', async (t) => {
  const { book } = bookOf(t);
  t.equal(book.height, START, 'blocks before the start of the log are not requested');
  const { creator, events } = book.factsAt(CONTRACT, { number: 105, index: 0 });
  t.equal(toHex(creator), toHex(CREATOR));
  t.equal(events.size, 1);
});

t.test('decodes a constructor log with the ABI of its contract', async (t) => {
  const { book, state } = bookOf(t);
  state.clear();
  const created = new Uint8Array(21).fill(7);
  const creation = creationOf(created);
  const transactions = [{ ...creation, contract: undefined, parameter: undefined }, creation];
  const number = START + 1;
  book.fold({ number, transactions });
  t.equal(book.factsAt(created, { number, index: 0 }).events.size, 0, 'not for a log of an earlier transaction');
  t.equal(book.factsAt(created, { number, index: 1 }).events.size, 1);
  const changes = changesOf({ number: number + 1, transactions }).map((change) => ({
    ...change,
    abi: new Uint8Array(0),
  }));
  const above = (index: number) => factsOf(book, created, changes, { number: number + 1, index }).events.size;
  t.same([above(0), above(1)], [1, 0], 'the same for the block above');
});

t.test('keeps the old ABI after a block changes or deletes the contract', async (t) => {
  const { book, state, changes } = bookOf(t);
  const removed = (store: StoreId, before: Uint8Array): RowChange => ({
    store,
    key: CONTRACT,
    before,
    after: undefined,
  });
  changes.set(110, [removed(storeId('contract'), contractRow), removed(storeId('abi'), abiRow)]);
  state.clear();
  for (let number = START + 1; number <= 110; number++) book.fold(empty(number));
  const { creator, events } = book.factsAt(CONTRACT, { number: 105, index: 0 });
  t.equal(toHex(creator), toHex(CREATOR));
  t.equal(events.size, 1);
});

t.test('keeps the contracts of a block during which the cache becomes full', async (t) => {
  const { book, state } = bookOf(t);
  state.clear();
  const addressOf = (index: number): Uint8Array => {
    const address = Buffer.alloc(21);
    address.writeUInt32BE(index, 17);
    return address;
  };
  // The cache has 2000 contracts. Each block adds two, so the cache becomes full within block 1000.
  book.factsAt(addressOf(0), { number: START, index: 0 });
  for (let block = 1; block <= 1001; block++) {
    const created = [addressOf(2 * block), addressOf(2 * block + 1)];
    book.flush();
    const number = START + block;
    book.fold({ number, transactions: created.map(creationOf) });
    for (const address of created) {
      if (book.factsAt(address, { number, index: 1 }).events.size === 1) continue;
      t.fail(`block ${block} lost a contract`);
      return;
    }
  }
  t.pass();
});
