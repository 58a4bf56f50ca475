/** Public key that has signed before, and its address. */
export interface KnownKey {
  /**
   * Uncompressed public key, 65 bytes. The point at infinity is the single byte 0, which never equals the key of a
   * signature.
   */
  readonly key: Uint8Array;
  /** Address of the key, 21 bytes. */
  readonly address: Uint8Array;
}

/**
 * Maximum number of claimants in a generation, after which the next generation starts. The two generations use about 40
 * MB together. On the main net, fewer accounts sign in an hour.
 */
const CLAIMANTS_MAX = 1 << 15;

/**
 * The key that last signed, for each claimant (an owner and a signature index). This key is expected for the next
 * signature of the claimant. That signature must still be verified.
 *
 * If another key signs, the claimant has no expected key afterwards. A claimant that changes its key therefore makes at
 * most one proof fail. A full generation (`young`) replaces the previous one (`old`), so a claimant without a signature
 * during a whole generation is evicted.
 */
export class KnownKeys {
  private young = new Map<string, KnownKey | 'changing'>();
  private old = new Map<string, KnownKey | 'changing'>();
  private readonly max: number;

  constructor(max = CLAIMANTS_MAX) {
    this.max = max;
  }

  /** Returns the expected key of a claimant; undefined if none exists. */
  of(claimant: string): KnownKey | undefined {
    const known = this.young.get(claimant) ?? this.promoted(claimant);
    return known === 'changing' ? undefined : known;
  }

  /** Records the key that signed for a claimant. */
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
