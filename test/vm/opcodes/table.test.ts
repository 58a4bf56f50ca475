import t from 'tap';
import { operations } from '../../../src/vm/interpreter/plain.js';
import { dynamicEnergy } from '../../../src/vm/opcodes/energy.js';
import { opcodeRows } from '../../../src/vm/opcodes/table.js';

t.test('every opcode has one row, a price and something that does it', async (t) => {
  const bytes = opcodeRows.map(([byte]) => byte);
  t.equal(new Set(bytes).size, bytes.length);
  t.equal(new Set(opcodeRows.map(([, name]) => name)).size, bytes.length);
  // 87 of the first machine with its pushes, copies and logs counted each, and those that proposals brought.
  t.equal(opcodeRows.filter((row) => row[5] === undefined).length, 134);
  t.equal(bytes.length, 159);
  const inLoop = (byte: number) =>
    byte === 0x56 || byte === 0x57 || byte === 0x5b || byte === 0x5f || (byte >= 0x60 && byte <= 0x9f);
  for (const [byte, name, , , energy] of opcodeRows) {
    t.equal(energy === 'dynamic', dynamicEnergy[byte] !== undefined, `${name} is priced once`);
    t.ok(inLoop(byte) || operations[byte] !== undefined, `${name} is done`);
  }
});
