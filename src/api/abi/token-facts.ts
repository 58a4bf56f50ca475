import { decodeParameters } from '../../encoding/abi/decode-log.js';
import { toHex, toUtf8 } from '../../primitives/bytes.js';
import { WORD_BYTES } from '../../primitives/units.js';
import type { ApiContext } from '../context/api-context.js';
import { BudgetExceededError } from '../context/call-budget.js';
import { constantCall } from './constant-call.js';

/** Name, symbol and decimals of a TRC20 token; null where the call fails, or returns no such value. */
export interface TokenFact {
  readonly name: string | null;
  readonly symbol: string | null;
  readonly decimals: number | null;
}

interface Known {
  readonly fact: TokenFact;
  /** Head of the state that was called. */
  readonly height: number;
}

/** Contracts whose answers are kept. */
const KEPT_MAX = 10_000;
const UNKNOWN: TokenFact = { name: null, symbol: null, decimals: null };

/**
 * Reads what tokens say of themselves, by constant calls on the head. Answers are kept: tokens hardly ever change them.
 * A call that failed is repeated on the next head, because a proxy may get its program later.
 */
export class TokenFacts {
  private readonly api: ApiContext;
  private readonly kept = new Map<string, Known>();

  constructor(api: ApiContext) {
    this.api = api;
  }

  /** Whether an answer costs no call. @param contract hex */
  isKnown(contract: string): boolean {
    return this.knownOf(contract) !== undefined;
  }

  /** @param contract bytes of its address */
  of(contract: Uint8Array): TokenFact {
    const key = toHex(contract);
    const known = this.knownOf(key);
    if (known !== undefined) return known;
    try {
      const call = (signature: string) => constantCall(this.api, { view: 'head', contract, signature });
      const fact = {
        symbol: textOf(call('symbol()')),
        decimals: numberOf(call('decimals()')),
        name: textOf(call('name()')),
      };
      if (this.kept.size >= KEPT_MAX) this.kept.clear();
      this.kept.set(key, { fact, height: this.height() });
      return fact;
    } catch (error) {
      // A program without end: it is called again when it is met again, for as long as the thread has time.
      if (error instanceof BudgetExceededError) return UNKNOWN;
      throw error;
    }
  }

  private knownOf(key: string): TokenFact | undefined {
    const known = this.kept.get(key);
    if (known === undefined) return undefined;
    return known.height === this.height() || isWhole(known.fact) ? known.fact : undefined;
  }

  private height(): number {
    return this.api.view('head').headNumber;
  }
}

const shared = new WeakMap<ApiContext, TokenFacts>();

/** The token facts of an interface context: all interfaces over it give the same answer. */
export function tokenFactsOf(api: ApiContext): TokenFacts {
  const known = shared.get(api) ?? new TokenFacts(api);
  shared.set(api, known);
  return known;
}

function isWhole({ name, symbol, decimals }: TokenFact): boolean {
  return name !== null && symbol !== null && decimals !== null;
}

/** Old tokens return their names as one word. Null for an empty text too: it names nothing. */
function textOf(data: Uint8Array | undefined): string | null {
  if (data === undefined) return null;
  if (data.length === WORD_BYTES) return toUtf8(data).replace(/\0+$/, '') || null;
  const [text] = decodeParameters(['string'], data) ?? [];
  return typeof text === 'string' && text !== '' ? text : null;
}

function numberOf(data: Uint8Array | undefined): number | null {
  const [number] = (data && decodeParameters(['uint8'], data)) ?? [];
  return number === undefined ? null : Number(number);
}
