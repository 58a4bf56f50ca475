const MASK_DELTA = 0xa282ead8;

/**
 * Returns the masked CRC, as both engines store it. A CRC over data that contains CRCs would otherwise be unreliable.
 */
export function maskCrc(crc: number): number {
  return (((crc >>> 15) | (crc << 17)) + MASK_DELTA) >>> 0;
}
