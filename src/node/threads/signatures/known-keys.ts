/** A key that signed before. */
export interface KnownKey {
  /** Uncompressed, 65 bytes; the byte 0 for the point at infinity, which no claim can name. */
  readonly key: Uint8Array;
  /** 21 bytes. */
  readonly address: Uint8Array;
}

/**
 * Claimants in each of two generations: some 40 MB with both, and many more accounts than sign within an hour of the
 * main network.
 */
const CLAIMANTS_MAX = 1 << 15;

/**
 * Which key signed last for whom: what is expected of the next signature, never what is taken for granted. A claimant
 * whose signature was another key's has none from then on, so that nobody can make one proof after the other fail.
 * Claimants that have not been seen since as many others were are forgotten.
 */
export class KnownKeys {
  private young = new Map<string, KnownKey | 'changing'>();
  private old = new Map<string, KnownKey | 'changing'>();
  private readonly max: number;

  constructor(max = CLAIMANTS_MAX) {
    this.max = max;
  }

  /** The key to expect, if any. */
  of(claimant: string): KnownKey | undefined {
    const known = this.young.get(claimant) ?? this.promoted(claimant);
    return known === 'changing' ? undefined : known;
  }

  /** Notes who signed. */
  note(claimant: string, signed: KnownKey): void {
    const known = this.young.get(claimant) ?? this.promoted(claimant);
    if (known === undefined) this.set(claimant, signed);
    else if (known !== 'changing' && !known.key.every((byte, at) => byte === signed.key[at]))
      this.set(claimant, 'changing');
  }

  private promoted(claimant: string): KnownKey | 'changing' | undefined {
    const known = this.old.get(claimant);
    if (known !== undefined) this.set(claimant, known);
    return known;
  }

  private set(claimant: string, known: KnownKey | 'changing'): void {
    this.young.set(claimant, known);
    if (this.young.size < this.max) return;
    this.old = this.young;
    this.young = new Map();
  }
}
