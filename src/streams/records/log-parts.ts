/**
 * Maximum size in bytes of one record of the log topic: half of the default limit of Kafka brokers.
 */
export const PART_BYTES_MAX = 512 * 1024;
/**
 * Maximum number of parts of one entry. A reader buffers all parts of an entry, at most 256 MiB. Blocks are below 2 MB.
 * Their row changes are below 100 MB, even at maintenance.
 */
export const PARTS_MAX = 512;
