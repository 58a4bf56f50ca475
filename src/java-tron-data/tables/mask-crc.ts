const MASK_DELTA = 0xa282ead8;

/**
 * Returns the masked CRC. LevelDB and RocksDB store CRCs in this form, because the CRC of data that itself contains
 * CRCs is unreliable.
 */
export function maskCrc(crc: number): number {
  return (((crc >>> 15) | (crc << 17)) + MASK_DELTA) >>> 0;
}
