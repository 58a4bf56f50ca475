import { keccak256 } from '../../log/domain/hash.js';
import type { OpRun } from '../interpreter/op-run.js';
import { beyondReturnData, staticViolation } from '../interpreter/vm-error.js';
import { wordOf } from './environment.js';

type Run = (run: OpRun) => void;

/** Memory, storage and copies, by byte. Reference: OperationActions. */
export const memoryAndStorage: Readonly<Record<number, Run>> = {
  32: (run) => {
    const offset = run.popInt();
    run.push(wordOf(keccak256(run.frame.memory.read(offset, run.popInt()))));
  },
  55: (run) => copy(run, run.frame.data),
  57: (run) => copy(run, run.frame.code),
  60: (run) => {
    const address = run.machine.addressOf(run.pop());
    copy(run, run.machine.codeOf(address));
  },
  62: copyReturnData,
  80: (run) => void run.pop(),
  81: (run) => run.push(wordOf(run.frame.memory.read(Number(run.pop()), 32))),
  82: (run) => {
    const offset = Number(run.pop());
    const word = Buffer.from(run.pop().toString(16).padStart(64, '0'), 'hex');
    run.frame.memory.write(offset, word);
  },
  83: (run) => {
    const offset = run.popInt();
    run.frame.memory.write(offset, Uint8Array.of(Number(run.pop() & 0xffn)));
  },
  84: (run) => run.push(run.load(run.pop())),
  85: (run) => {
    if (run.frame.isStatic) throw staticViolation();
    const slot = run.pop();
    run.store(slot, run.pop());
  },
};

/** Copies with zeros for what the source does not have. */
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
