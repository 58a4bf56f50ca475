import { decodeParameters } from '../../encoding/abi/decode-log.js';
import { toHex, toUtf8 } from '../../primitives/bytes.js';
import { onFirstUseOf } from '../../primitives/on-first-use.js';
import { WORD_BYTES } from '../../primitives/units.js';
import type { ApiContext } from '../context/api-context.js';
import { BudgetExceededError } from '../context/call-budget.js';
import { constantCall } from './constant-call.js';

/**
 * Name, symbol and decimals of a TRC20 token. A value is null if the call of the token contract failed, or returned a
 * value of the wrong type.
 */
export interface TokenFact {
  readonly name: string | null;
  readonly symbol: string | null;
  readonly decimals: number | null;
}

interface CachedFact {
  readonly fact: TokenFact;
  /** Height of the state in which the values were read. */
  readonly height: number;
}

/** Maximum number of cached tokens. */
const KEPT_MAX = 10_000;
const UNKNOWN: TokenFact = { name: null, symbol: null, decimals: null };

/**
 * Reads name, symbol and decimals of tokens by constant calls on the head state. Caches complete results, because
 * tokens almost never change these values. Reads an incomplete result again after the next block, because a proxy
 * contract may get its code later.
 */
export class TokenFacts {
  private readonly api: ApiContext;
  private readonly cached = new Map<string, CachedFact>();

  constructor(api: ApiContext) {
    this.api = api;
  }

  /** Returns true if the token is in the cache. @param contract address in hex */
  isKnown(contract: string): boolean {
    return this.knownOf(contract) !== undefined;
  }

  /** Returns the facts of a token. @param contract address as bytes */
  of(contract: Uint8Array): TokenFact {
    const key = toHex(contract);
    const known = this.knownOf(key);
    if (known !== undefined) return known;
    try {
      const view = this.api.view('head');
      const call = (signature: string) => constantCall(this.api, { view, contract, signature });
      const fact = {
        symbol: textOf(call('symbol()')),
        decimals: numberOf(call('decimals()')),
        name: textOf(call('name()')),
      };
      if (this.cached.size >= KEPT_MAX) this.cached.clear();
      this.cached.set(key, { fact, height: this.height() });
      return fact;
    } catch (error) {
      // The call exceeded its time budget. The result UNKNOWN is not cached, so that the next request repeats the
      // call.
      if (error instanceof BudgetExceededError) return UNKNOWN;
      throw error;
    }
  }

  private knownOf(key: string): TokenFact | undefined {
    const known = this.cached.get(key);
    if (known === undefined) return undefined;
    return known.height === this.height() || isWhole(known.fact) ? known.fact : undefined;
  }

  private height(): number {
    return this.api.view('head').headNumber;
  }
}

/** Returns the token facts of an API context. All interfaces share them, so that they return the same values. */
export const tokenFactsOf = onFirstUseOf((api: ApiContext) => new TokenFacts(api));

function isWhole({ name, symbol, decimals }: TokenFact): boolean {
  return name !== null && symbol !== null && decimals !== null;
}

/** Decodes a string. Also accepts a bytes32, which old tokens return instead. An empty text becomes null. */
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
