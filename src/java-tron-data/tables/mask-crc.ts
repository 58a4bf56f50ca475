const MASK_DELTA = 0xa282ead8;

/**
 * Returns the masked form of a CRC, in which LevelDB and RocksDB store it. Reason: a CRC over data that contains
 * unmasked CRCs is unreliable.
 */
export function maskCrc(crc: number): number {
  return (((crc >>> 15) | (crc << 17)) + MASK_DELTA) >>> 0;
}
