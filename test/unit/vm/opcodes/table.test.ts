import t from 'tap';
import { opcodesInLoop } from '../../../../src/vm/interpreter/wasm/loop.js';
import { type RuleSet, switchNames } from '../../../../src/vm/machine/rule-set.js';
import { InstructionSets, type OpcodeRow } from '../../../../src/vm/opcodes/instruction-sets.js';
import { instructionSets, opcodeRows } from '../../../../src/vm/opcodes/table.js';

const withAll = (isOn: boolean) => Object.fromEntries(switchNames.map((name) => [name, isOn])) as RuleSet;
const all = withAll(true);
const none = withAll(false);
/** Rules with all parameters on, with all off, and with one parameter off or on. */
const ruleSets = [
  all,
  none,
  ...switchNames.flatMap((name) => [
    { ...all, [name]: false },
    { ...none, [name]: true },
  ]),
];

t.test('has one row per opcode, and replacement rows with the same name and stack effect', async (t) => {
  const first = new Map<number, OpcodeRow>();
  for (const row of opcodeRows) {
    const known = first.get(row[0]);
    if (known === undefined) first.set(row[0], row);
    else {
      t.strictSame(row.slice(0, 4), known.slice(0, 4), `${row[1]} has the same name and stack effect`);
      t.not(row[4], 'always', `${row[1]} is replaced by a switch`);
    }
  }
  t.equal(new Set([...first.values()].map(([, name]) => name)).size, first.size, 'names are unique');
  // The number includes each PUSH, DUP, SWAP and LOG. These are the opcodes of the first virtual machine; later
  // proposals added the others.
  t.equal([...first.values()].filter((row) => row[4] === 'always').length, 134);
  t.equal(first.size, 165);
});

t.test('has a price and an implementation for every opcode of every rule set', async (t) => {
  for (const set of ruleSets) {
    const { isEnabled, names, energy, dynamic, run, flow } = instructionSets.of(set);
    for (let byte = 0; byte < 256; byte++) {
      if (isEnabled[byte] === 0) continue;
      if (energy[byte]! < 0 !== (dynamic[byte] !== undefined))
        t.fail(`${names[byte]} has either a fixed price or a function`);
      if ((run[byte] === undefined) === (flow[byte] === undefined))
        t.fail(`${names[byte]} has either an implementation or control flow`);
    }
  }
});

t.test('matches the interpreter loop to the rows under every switch', async (t) => {
  const known = instructionSets.of(all);
  for (const set of ruleSets) {
    const found = instructionSets.of(set);
    for (const { opcode: byte } of opcodesInLoop()) {
      if (found.isEnabled[byte] === 0) continue;
      const [price, other] = [found.dynamic[byte], known.dynamic[byte]];
      const isSamePrice = price?.base === undefined ? price === other : other?.base !== undefined;
      // If an opcode row changes the function or the price, the loop must change too, or must not contain the opcode
      // any more.
      if (found.run[byte] !== known.run[byte] || !isSamePrice)
        t.fail(`the loop does not contain the row of ${found.names[byte]}`);
    }
  }
  t.ok(opcodesInLoop().length > 30, 'the loop contains most of arithmetic, memory and jumps');
});

t.test('builds another instruction set and prepared code per switch', async (t) => {
  for (const name of new Set(opcodeRows.flatMap((row) => (row[4] === 'always' ? [] : [row[4]])))) {
    t.not(instructionSets.of({ ...all, [name]: false }), instructionSets.of(all), name);
  }
  t.equal(instructionSets.of({ ...all }), instructionSets.of(all), 'the same rows are the same set');
  const [, ...rest] = opcodeRows;
  const sets = new InstructionSets([...rest, [0x00, 'STOP', 0, 0, 'optimizedChainId', 7, 'destination']]);
  t.not(sets.of(all), sets.of({ ...all, optimizedChainId: false }), 'a new row with a switch makes another set');
});
