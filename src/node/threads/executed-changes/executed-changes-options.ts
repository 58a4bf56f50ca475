import type { ChainRules } from '../../../state-transition/state/chain-rules.js';

/** Options of executing blocks again. They can be sent to another thread. */
export interface ExecutedChangesOptions {
  readonly dataDir: string;
  /** Rules without the release: its functions cannot be cloned, so its name is sent. */
  readonly rules: Omit<ChainRules, 'release'>;
  readonly release: string;
  /** `tronicle.sapling.spendKey` */
  readonly spendKey: string | undefined;
}
