import type { SmartContract } from '../../codec/generated/messages.js';
import { type Address, toAddress } from '../../primitives/address.js';
import { max64, min64 } from '../../primitives/int64.js';

/** Energy shares of a contract's creator and caller. */
interface EnergyTerms {
  /** Share of the caller in percent, 0 to 100. */
  readonly callerPercent: bigint;
  /** Maximum energy of the creator per call. It is negative if the contract's row contains a negative value. */
  readonly originLimit: bigint;
}

/**
 * Energy limit of the creator if the contract's row has no limit, because another contract created it, or because it
 * was created before the energy limit fork. Reference: CREATOR_DEFAULT_ENERGY_LIMIT
 */
const DEFAULT_ORIGIN_LIMIT = 10_000_000n;

/**
 * Reads the energy shares from a contract's row.
 * Reference: ContractCapsule.getConsumeUserResourcePercent, getOriginEnergyLimit.
 */
export function energyTerms({ consumeUserResourcePercent, originEnergyLimit }: SmartContract): EnergyTerms {
  return {
    callerPercent: max64(0n, min64(consumeUserResourcePercent, 100n)),
    originLimit: originEnergyLimit === 0n ? DEFAULT_ORIGIN_LIMIT : originEnergyLimit,
  };
}

/**
 * Cache of creator addresses by contract row, because each call needs the address twice. Rows are cached across
 * transactions, and the creator of a contract never changes.
 */
const origins = new WeakMap<SmartContract, Address>();

/** Returns the creator of a contract. */
export function originOf(contract: SmartContract): Address {
  const known = origins.get(contract);
  if (known !== undefined) return known;
  const origin = toAddress(contract.originAddress);
  origins.set(contract, origin);
  return origin;
}
