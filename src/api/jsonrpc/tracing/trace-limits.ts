import { Deadline } from '../../../primitives/deadline.js';
import { internalError } from '../rpc-error.js';

/** ms that a trace may take. */
export const TRACE_MS_MAX = 5_000;
/** Characters of its answer. */
const TRACE_CHARACTERS_MAX = 64 * 1024 * 1024;
/** Steps between two looks at the clock. */
const STEPS_AT_ONCE = 256;

/** Bounds one trace, or one simulation: it runs while nothing else is served. */
export class TraceLimits {
  readonly deadline: Deadline;
  private readonly what: string;
  private readonly charactersMax: number;
  private characters = 0;
  private steps = 0;

  constructor({ timeMs = TRACE_MS_MAX, charactersMax = TRACE_CHARACTERS_MAX, what = 'trace' } = {}) {
    this.what = what;
    this.deadline = new Deadline(Date.now() + timeMs);
    this.charactersMax = charactersMax;
  }

  /** @throws {RpcError} the trace is too long */
  add(characters: number): void {
    this.characters += characters;
    if (this.characters <= this.charactersMax) return;
    const advice = this.what === 'trace' ? ': leave out stack, storage or memory' : '';
    throw internalError(`the ${this.what} is longer than ${this.charactersMax} characters${advice}`);
  }

  /** One operation is to be executed. @throws {RpcError} the trace takes too long */
  step(): void {
    if (this.steps++ % STEPS_AT_ONCE === 0) this.checkTime();
  }

  /** @throws {RpcError} the trace takes too long */
  checkTime(): void {
    if (this.deadline.leftMs() < 0) throw internalError(`the ${this.what} takes longer than it may`);
  }
}
