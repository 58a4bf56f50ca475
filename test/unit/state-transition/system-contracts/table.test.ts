import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { TransactionContractContractType as ContractType } from '../../../../src/codec/generated/messages.js';
import type { ContractTypeName } from '../../../../src/state-transition/contract-types.js';
import { parameterRows } from '../../../../src/state-transition/parameters/parameter-table.js';
import { release472 } from '../../../../src/state-transition/releases/release-4.7.2.js';
import {
  type ContractRow,
  contractHandlers,
  contractRows,
  contractTable,
  isSmartContract,
} from '../../../../src/state-transition/system-contracts/table.js';
import { ROOT, sourcePaths } from '../../../architecture/source-files.js';
import { refusal, stateWith } from '../../../support/vm/state-with.js';

const NEWEST_OF_472 = ContractType.CancelAllUnfreezeV2Contract;
const rows = Object.entries<ContractRow>(contractTable);

t.test('orders rows by number, and the message type of each row has the name of the row', async (t) => {
  t.same(
    [...contractRows.keys()],
    [...contractRows.keys()].sort((a, b) => a - b),
  );
  for (const [name, { message }] of rows) t.equal(message.$name, `protocol.${name}`);
});

t.test('runs only contract creations and contract calls in the virtual machine', async (t) => {
  const names = Object.entries(ContractType).flatMap(([name, type]) => (isSmartContract(type) ? [name] : []));
  t.same(names, ['CreateSmartContract', 'TriggerSmartContract']);
  t.notOk(isSmartContract(ContractType.VoteAssetContract), 'no release executes this type');
});

t.test('rejects an inactive contract type with the text of its row for any parameter', async (t) => {
  const opened = new Set<string>(parameterRows.flatMap(({ opens = [] }) => opens));
  for (const [name, { needs, handler }] of rows) {
    if (!opened.has(name) || handler === undefined) continue;
    const state = stateWith({ UNFREEZE_DELAY_DAYS: 0n });
    const refused = refusal(handler, state, {});
    t.match(refused?.text, /support|unexpected type/, name);
    t.throws(() => needs?.(state), { message: refused?.text ?? '' }, name);
    opened.delete(name);
  }
  t.same([...opened], [], 'each type has a row');
});

t.test('an active permission can include each contract type once the type is enabled', async (t) => {
  const opened = new Set<string>(parameterRows.flatMap(({ opens = [] }) => opens));
  const { properties } = stateWith();
  const without = (property: 'AVAILABLE_CONTRACT_TYPE' | 'ACTIVE_DEFAULT_OPERATIONS') =>
    rows
      .map(([name]) => name)
      .filter(
        (name) => !opened.has(name) && !hasBit(properties.bytes(property), ContractType[name as ContractTypeName]),
      );
  // A shielded transfer has no sender account whose permission could allow it.
  t.same(without('AVAILABLE_CONTRACT_TYPE'), ['ShieldedTransferContract']);
  t.same(without('ACTIVE_DEFAULT_OPERATIONS'), ['AccountPermissionUpdateContract', 'ShieldedTransferContract']);
});

t.test('4.7.2 never enables contract types that later releases added', async (t) => {
  const state = stateWith({}, release472);
  for (const { version } of release472.forkVersions) state.properties.setForkStats(version, Uint8Array.of(1));
  for (const { property } of release472.parameters.values()) state.properties.set(property, 1n);
  state.properties.set('latest_block_header_number', BigInt(state.rules.energyLimitBlock));
  state.properties.set('latest_block_header_timestamp', 1_700_000_000_000n);
  for (const [name, { needs }] of rows) {
    if (ContractType[name as ContractTypeName] > NEWEST_OF_472) t.throws(() => needs?.(state), name);
    else t.doesNotThrow(() => needs?.(state), name);
  }
});

t.test('has a test file for each handler', async (t) => {
  const files = sourcePaths('src/state-transition/system-contracts').filter((path) =>
    /^export const \w+: ContractHandler</m.test(readFileSync(join(ROOT, path), 'utf8')),
  );
  t.equal(files.length, contractHandlers.size);
  const tests = files.map((path) => path.replace(/^src/, 'test/unit').replace(/\.ts$/, '.test.ts'));
  t.same(
    tests.filter((path) => !existsSync(join(ROOT, path))),
    [],
  );
});

function hasBit(bits: Uint8Array, at: number): boolean {
  return ((bits[at >> 3] ?? 0) & (1 << (at & 7))) !== 0;
}
