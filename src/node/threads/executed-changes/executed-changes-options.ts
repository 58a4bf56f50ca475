import type { ChainRules } from '../../../state-transition/state/chain-rules.js';

/** Options for executing blocks again. They contain only data that can be sent to another thread. */
export interface ExecutedChangesOptions {
  readonly dataDir: string;
  /**
   * Chain rules without the release, because a release contains functions, which cannot be sent to a thread.
   * {@link release} names the release.
   */
  readonly rules: Omit<ChainRules, 'release'>;
  readonly release: string;
  /** Path of the spend key file (`tronicle.sapling.spendKey`). */
  readonly spendKey: string | undefined;
}
