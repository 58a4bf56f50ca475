import type { VmHooks } from '../../../vm/machine/hooks.js';
import { quantity } from '../quantities.js';
import { REVERTED } from './call-recorder.js';
import { TouchedState } from './prestate-tracer.js';
import type { TraceLimits } from './trace-limits.js';
import type { TracedOutcome, Tracer } from './tracer.js';

/**
 * Collects the addresses and storage slots that a call accesses, in the form of `eth_createAccessList`. On TRON an
 * access list does not reduce the price of a call.
 */
export class AccessListTracer implements Tracer {
  private readonly touched: TouchedState;

  constructor(limits: TraceLimits) {
    this.touched = new TouchedState(limits);
  }

  get hooks(): VmHooks {
    return this.touched;
  }

  answer({ from, to, energyUsed, isFailed, failure }: TracedOutcome): string {
    const { accounts, slots } = this.touched;
    const accessList = [...new Set([...accounts, ...slots.keys()])].sort().map((account) => ({
      address: `0x${account.slice(2)}`,
      storageKeys: [...(slots.get(account) ?? [])].map((slot) => `0x${slot.toString(16).padStart(64, '0')}`).sort(),
    }));
    return JSON.stringify({
      // Omits sender and receiver, because the transaction itself contains them. Keeps them if the call accesses their
      // storage.
      accessList: accessList.filter(
        ({ address, storageKeys }) => storageKeys.length > 0 || (address !== from && address !== to),
      ),
      gasUsed: quantity(energyUsed),
      ...(isFailed && { error: failure ?? REVERTED }),
    });
  }
}
