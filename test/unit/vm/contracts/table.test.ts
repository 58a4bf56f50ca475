import t from 'tap';
import { TransactionContractContractType as ContractType } from '../../../../src/codec/generated/messages.js';
import { type ContractRow, contractRows, contractTable, isSmartContract } from '../../../../src/vm/contracts/table.js';
import { parameterRows } from '../../../../src/vm/parameters/parameter-table.js';
import { refusal, stateWith } from '../../../support/vm/state-with.js';

const rows = Object.entries<ContractRow>(contractTable);

t.test('rows stand in the order of their numbers, each with the message of its name', async (t) => {
  t.same(
    [...contractRows.keys()],
    [...contractRows.keys()].sort((a, b) => a - b),
  );
  for (const [name, { message }] of rows) t.equal(message.$name, `protocol.${name}`);
});

t.test('the machine runs two of them', async (t) => {
  const names = Object.entries(ContractType).flatMap(([name, type]) => (isSmartContract(type) ? [name] : []));
  t.same(names, ['CreateSmartContract', 'TriggerSmartContract']);
  t.notOk(isSmartContract(ContractType.VoteAssetContract), 'nobody runs what no release executes');
});

t.test('a type that waits for a vote is refused with the words of its row, whatever its parameter', async (t) => {
  const opened = new Set<string>(parameterRows.flatMap(({ opens = [] }) => opens));
  for (const [name, { needs, handler }] of rows) {
    if (!opened.has(name) || handler === undefined) continue;
    const state = stateWith({ UNFREEZE_DELAY_DAYS: 0n });
    const refused = refusal(handler, state, {});
    t.match(refused?.text, /support|unexpected type/, name);
    t.throws(() => needs?.(state), { message: refused?.text ?? '' }, name);
    opened.delete(name);
  }
  t.same([...opened], [], 'each of them has a row');
});
