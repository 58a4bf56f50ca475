import { keccak256 } from '../../crypto/hash.js';
import { toUnsigned } from '../../primitives/bytes.js';
import { beyondReturnData, staticViolation } from '../../state-transition/vm-error.js';
import type { OpRun, Run } from './op-run.js';

/** Operations on memory and storage, and copies to memory. Reference: OperationActions. */
export const memoryAndStorage = {
  sha3: (run) => {
    const offset = run.popInt();
    run.push(toUnsigned(keccak256(run.frame.memory.read(offset, run.popInt()))));
  },
  callDataCopy: (run) => copy(run, run.frame.data),
  codeCopy: (run) => copy(run, run.frame.code),
  codeCopyOf: (run) => {
    const address = run.machine.addressOf(run.pop());
    copy(run, run.machine.codeOf(address));
  },
  returnDataCopy: copyReturnData,
  pop: (run) => void run.pop(),
  loadWord: (run) => run.push(toUnsigned(run.frame.memory.read(Number(run.pop()), 32))),
  storeWord: (run) => {
    const offset = Number(run.pop());
    const word = Buffer.from(run.pop().toString(16).padStart(64, '0'), 'hex');
    run.frame.memory.write(offset, word);
  },
  storeByte: (run) => {
    const offset = run.popInt();
    run.frame.memory.write(offset, Uint8Array.of(Number(run.pop() & 0xffn)));
  },
  load: (run) => run.push(run.load(run.pop())),
  store: (run) => {
    if (run.frame.isStatic) throw staticViolation();
    const slot = run.pop();
    run.store(slot, run.pop());
  },
  loadTransient(run) {
    const { machine, frame } = run;
    run.push(machine.transient.load(frame.context, run.pop()));
  },
  storeTransient(run) {
    const { machine, frame } = run;
    if (frame.isStatic) throw staticViolation();
    const slot = run.pop();
    machine.transient.store(frame.context, slot, run.pop());
  },
  copyMemory(run) {
    const to = run.popInt();
    const from = run.popInt();
    const { memory } = run.frame;
    memory.write(to, memory.read(from, run.popInt()));
  },
} satisfies Record<string, Run>;

/** Copies to memory. Bytes after the end of the source are zero. */
function copy(run: OpRun, source: Uint8Array): void {
  const to = run.popInt();
  const from = run.popInt();
  const bytes = new Uint8Array(run.popInt());
  if (from < source.length) bytes.set(source.subarray(from, from + bytes.length));
  run.frame.memory.write(to, bytes);
}

function copyReturnData(run: OpRun): void {
  const to = run.popInt();
  const offsetWord = run.peek(0);
  const sizeWord = run.peek(1);
  const from = run.popInt();
  const size = run.popInt();
  const source = run.frame.returnBuffer;
  if (from + size > source.length) throw beyondReturnData(offsetWord, sizeWord, source.length);
  run.frame.memory.write(to, source.subarray(from, from + size));
}
