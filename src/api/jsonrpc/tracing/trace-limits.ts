import { internalError } from '../rpc-error.js';

/** ms that a trace may take. */
export const TRACE_MS_MAX = 5_000;
/** Characters of its answer. */
export const TRACE_CHARACTERS_MAX = 64 * 1024 * 1024;
/** Steps between two looks at the clock. */
const STEPS_AT_ONCE = 256;

/** Bounds one trace: it runs while nothing else is served. */
export class TraceLimits {
  readonly deadlineMs: number;
  private readonly charactersMax: number;
  private characters = 0;
  private steps = 0;

  constructor({ timeMs = TRACE_MS_MAX, charactersMax = TRACE_CHARACTERS_MAX } = {}) {
    this.deadlineMs = Date.now() + timeMs;
    this.charactersMax = charactersMax;
  }

  /** @throws {RpcError} the trace is too long */
  add(characters: number): void {
    this.characters += characters;
    if (this.characters <= this.charactersMax) return;
    throw internalError(
      `the trace is longer than ${this.charactersMax} characters: leave out stack, storage or memory`,
    );
  }

  /** One operation is to be executed. @throws {RpcError} the trace takes too long */
  step(): void {
    if (this.steps++ % STEPS_AT_ONCE === 0) this.checkTime();
  }

  /** @throws {RpcError} the trace takes too long */
  checkTime(): void {
    if (Date.now() > this.deadlineMs) throw internalError('the trace takes longer than it may');
  }
}
