/**
 * Bytes of an entry in one record of the topic of the log: half of what brokers take unless they are told otherwise.
 */
export const PART_BYTES_MAX = 512 * 1024;
/**
 * Parts of one entry, so 256 MiB: what a reader has to hold at most. Blocks are below 2 MB, and what they change,
 * maintenance included, stays below a hundred.
 */
export const PARTS_MAX = 512;
