const MASK_DELTA = 0xa282ead8;

/** Returns the masked CRC that both engines store, so that a CRC over stored CRCs stays reliable. */
export function maskCrc(crc: number): number {
  return (((crc >>> 15) | (crc << 17)) + MASK_DELTA) >>> 0;
}
