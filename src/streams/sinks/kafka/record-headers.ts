/** Description of one header of a Kafka record. All values are text. */
interface HeaderRow {
  readonly name: string;
  readonly doc: string;
  /** Regular expression of the value. */
  readonly pattern: string;
  /** Set if some records do not have the header. */
  readonly isOptional?: true;
}

const NUMBER = '^[0-9]+$';

/** Headers of all records, without those that describe the value's format. `assignPositions` writes them. */
export const headerRows: readonly HeaderRow[] = [
  { name: 'seq', doc: 'Sequence number of the entry in the log of the node.', pattern: NUMBER },
  { name: 'index', doc: 'Index of the record among the records of the log entry, from 0.', pattern: NUMBER },
  { name: 'count', doc: 'Number of records of the entry over all topics.', pattern: NUMBER },
  { name: 'blockNum', doc: 'Height of the block.', pattern: NUMBER },
  { name: 'blockId', doc: 'Id of the block, in hex.', pattern: '^[0-9a-f]{64}$' },
  {
    name: 'parentId',
    doc: 'Id of the parent block, in hex; empty for an entry without a block.',
    pattern: '^(?:[0-9a-f]{64})?$',
  },
  {
    name: 'change',
    doc: 'Kind of the entry. Present only with `finality = applied`, and in the topic `log`.',
    pattern: '^(?:applied|reverted|solidified)$',
    isOptional: true,
  },
  {
    name: 'prevSeq',
    doc: '`seq` of the previous record of the partition. Absent in the first record.',
    pattern: NUMBER,
    isOptional: true,
  },
  {
    name: 'prevIndex',
    doc: '`index` of the previous record of the partition. Absent in the first record.',
    pattern: NUMBER,
    isOptional: true,
  },
  {
    name: 'part',
    doc: 'Number of this part, from 0. Present only if the value exceeds one record.',
    pattern: NUMBER,
    isOptional: true,
  },
  {
    name: 'parts',
    doc: 'Number of all parts. Present only if the value exceeds one record.',
    pattern: NUMBER,
    isOptional: true,
  },
];

/**
 * Names of the headers that describe the format of the value. Records of the log topic do not have these two headers.
 */
export const FORMAT_HEADERS = { contentType: 'content-type', schema: 'schema' } as const;
/** Values of the header `content-type`. */
export const CONTENT_TYPES = {
  json: 'application/json',
  protobuf: 'application/x-protobuf',
  avro: 'application/avro',
} as const;
