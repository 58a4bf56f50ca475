import type { SmartContract } from '../../codec/generated/messages.js';
import { type Address, toAddress } from '../../primitives/address.js';
import { max64, min64 } from '../../primitives/int64.js';

/** What the maker of a contract bears of its energy. */
interface EnergyTerms {
  /** Percent that the caller bears, 0 to 100. */
  readonly callerPercent: bigint;
  /** Energy that the maker bears at most in one call; a row may hold a negative one. */
  readonly originLimit: bigint;
}

/**
 * Where a row holds no limit: contracts made by contracts, or before the energy limit fork.
 * Reference: CREATOR_DEFAULT_ENERGY_LIMIT
 */
const DEFAULT_ORIGIN_LIMIT = 10_000_000n;

/**
 * A contract's row as the reference reads it.
 * Reference: ContractCapsule.getConsumeUserResourcePercent, getOriginEnergyLimit.
 */
export function energyTerms({ consumeUserResourcePercent, originEnergyLimit }: SmartContract): EnergyTerms {
  return {
    callerPercent: max64(0n, min64(consumeUserResourcePercent, 100n)),
    originLimit: originEnergyLimit === 0n ? DEFAULT_ORIGIN_LIMIT : originEnergyLimit,
  };
}

/** Rows live across transactions, and the maker of a contract never changes: each call asks for it twice. */
const origins = new WeakMap<SmartContract, Address>();

/** The maker of a contract. */
export function originOf(contract: SmartContract): Address {
  const known = origins.get(contract);
  if (known !== undefined) return known;
  const origin = toAddress(contract.originAddress);
  origins.set(contract, origin);
  return origin;
}
