import t from 'tap';
import { TransactionContractContractType as ContractType, Witness } from '../../../../src/codec/generated/messages.js';
import { witnessWrites } from '../../../../src/node/serving/witness-writes.js';
import type { Address } from '../../../../src/primitives/address.js';
import { fromHex } from '../../../../src/primitives/bytes.js';
import type { RowChange } from '../../../../src/projections/state/state-reader.js';

const [A, B, C, D] = ['aa', 'bb', 'cc', 'dd'].map((byte) => `41${byte.repeat(20)}`) as [
  Address,
  Address,
  Address,
  Address,
];
const turns = [A, B, C];

function row(address: Address, before: Partial<Witness>, after: Partial<Witness>): RowChange {
  const [old, now] = [before, after].map((fields) => Witness.encode(Object.assign(new Witness(), fields)));
  return { store: 7, key: fromHex(address), before: old, after: now };
}

function updateBy(owner: Address): { contractType: number; owner: Address } {
  return { contractType: ContractType.WitnessUpdateContract, owner };
}

const still = { before: turns, after: turns, firstSlot: 0 };

t.test('lists the producer after witnesses that set their URL, even an unchanged one', async (t) => {
  const block = { witness: A, transactions: [updateBy(D), { contractType: ContractType.TransferContract, owner: C }] };
  t.strictSame(witnessWrites({ ...still, block, rows: [] }), [D, A]);
});

// Reference: StatisticManager.applyBlock.
t.test('lists witnesses with missed slots in slot order', async (t) => {
  const rows = [A, B, C].map((address) => row(address, { totalMissed: 1n }, { totalMissed: 2n }));
  t.strictSame(witnessWrites({ ...still, block: { witness: D, transactions: [] }, rows, firstSlot: 4 }), [D, B, C, A]);
});

// Reference: MaintenanceManager.doMaintenance, which writes `isJobs` of all witnesses. The order was recorded in
// golden/off, block 231.
t.test('lists all old and new active witnesses after those with changed votes', async (t) => {
  const block = { witness: C, transactions: [] };
  const rows = [row(D, { voteCount: 1n }, { voteCount: 2n })];
  t.strictSame(witnessWrites({ block, rows, before: [A, B], after: [B, D], firstSlot: 0 }), [C, D, A, B, B, D]);
  t.strictSame(
    witnessWrites({ block, rows: [], before: [A, B], after: [B, A], firstSlot: 0 }),
    [C],
    'unchanged active witnesses in another order',
  );
});
