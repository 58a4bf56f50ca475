import { TriggerSmartContract } from '../../codec/generated/messages.js';
import { keccak256 } from '../../crypto/hash.js';
import { decodeParameters } from '../../encoding/abi/decode-log.js';
import { toHex, toUtf8, utf8 } from '../../primitives/bytes.js';
import { javaError } from '../../state-transition/java-errors.js';
import type { ApiContext } from '../context/api-context.js';
import { BudgetExceededError } from '../context/call-budget.js';
import { callConstantContract, newCallReply } from '../operations/call-contract.js';

/** What a token says of itself; empty and 0 where it does not answer. */
interface TokenFact {
  readonly symbol: string;
  readonly decimals: number;
  readonly name: string;
}

/** Contracts whose answers are kept: they hardly ever change. */
const KEPT_MAX = 10_000;
const UNKNOWN: TokenFact = { symbol: '', decimals: 0, name: '' };

/** Names of tokens, asked of their contracts by constant calls and kept. */
export class TokenFacts {
  private readonly api: ApiContext;
  private readonly kept = new Map<string, TokenFact>();

  constructor(api: ApiContext) {
    this.api = api;
  }

  /** Whether an answer costs no call. @param contract hex */
  isKnown(contract: string): boolean {
    return this.kept.has(contract);
  }

  /** @param contract bytes of its address */
  of(contract: Uint8Array): TokenFact {
    const key = toHex(contract);
    const known = this.kept.get(key);
    if (known !== undefined) return known;
    try {
      const [symbol, decimals, name] = [
        textOf(this.call(contract, 'symbol()')),
        numberOf(this.call(contract, 'decimals()')),
        textOf(this.call(contract, 'name()')),
      ];
      return this.keep(key, { symbol, decimals, name });
    } catch (error) {
      // A program without end: it is asked again when it is met again, for as long as the thread has time.
      if (error instanceof BudgetExceededError) return UNKNOWN;
      throw error;
    }
  }

  private keep(key: string, fact: TokenFact): TokenFact {
    if (this.kept.size >= KEPT_MAX) this.kept.clear();
    this.kept.set(key, fact);
    return fact;
  }

  /** What a function returns; empty where it fails. @throws {BudgetExceededError} */
  private call(contract: Uint8Array, signature: string): Uint8Array {
    const message = Object.assign(new TriggerSmartContract(), {
      ownerAddress: contract,
      contractAddress: contract,
      data: keccak256(utf8(signature)).subarray(0, 4),
    });
    const reply = newCallReply();
    try {
      callConstantContract(this.api, this.api.view('head'), message, reply);
    } catch (error) {
      if (error instanceof BudgetExceededError || javaError(error) === undefined) throw error;
    }
    return reply.extention.constantResult[0] ?? new Uint8Array(0);
  }
}

/** Old tokens return their names as one word. */
function textOf(data: Uint8Array): string {
  if (data.length === 32) return toUtf8(data).replace(/\0+$/, '');
  return String(decodeParameters(['string'], data)?.[0] ?? '');
}

function numberOf(data: Uint8Array): number {
  return Number(decodeParameters(['uint8'], data)?.[0] ?? 0);
}
