const MASK_DELTA = 0xa282ead8;

/** The form in which both engines store a sum, so that a sum over stored sums stays a good one. */
export function maskCrc(crc: number): number {
  return (((crc >>> 15) | (crc << 17)) + MASK_DELTA) >>> 0;
}
