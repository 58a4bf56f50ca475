import type { ChainRules } from '../../../state-transition/state/chain-rules.js';

/** Options of executing blocks again. They can be sent to another thread. */
export interface ExecutedChangesOptions {
  readonly dataDir: string;
  /** Rules with the name of the release instead of the release itself, whose functions cannot be sent to a thread. */
  readonly rules: Omit<ChainRules, 'release'>;
  readonly release: string;
  /** Path of the spend key file (`tronicle.sapling.spendKey`). */
  readonly spendKey: string | undefined;
}
