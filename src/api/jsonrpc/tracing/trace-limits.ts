import { Deadline } from '../../../primitives/deadline.js';
import { internalError } from '../rpc-error.js';

/** Maximum duration of a trace, in ms. */
export const TRACE_MS_MAX = 5_000;
/** Maximum size of a trace response, in characters. */
const TRACE_CHARACTERS_MAX = 64 * 1024 * 1024;
/** Number of executed opcodes between two checks of the time limit. */
const STEPS_AT_ONCE = 256;

/**
 * Limits the time and size of one trace or simulation, because the thread that runs it cannot respond to other
 * requests.
 */
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

  /** Adds a number of characters to the size of the response. @throws {RpcError} the response is too long */
  add(characters: number): void {
    this.characters += characters;
    if (this.characters <= this.charactersMax) return;
    const advice = this.what === 'trace' ? '; disable stack, storage or memory' : '';
    throw internalError(`${this.what} exceeds ${this.charactersMax} characters${advice}`);
  }

  /**
   * Counts one executed opcode. Checks the elapsed time once per `STEPS_AT_ONCE` opcodes. @throws {RpcError} the time
   * limit is exceeded
   */
  step(): void {
    if (this.steps++ % STEPS_AT_ONCE === 0) this.checkTime();
  }

  /** Checks the elapsed time. @throws {RpcError} the time limit is exceeded */
  checkTime(): void {
    if (this.deadline.leftMs() < 0) throw internalError(`${this.what} exceeds its time limit`);
  }
}
