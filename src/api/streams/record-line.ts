import type { BlockRecords } from './block-records.js';
import { jsonText } from './triggers/json-text.js';

/** The record before, in the same file or partition: what a reader proves continuity by. */
export interface RecordPlace {
  readonly seq: number;
  readonly index: number;
}

/**
 * A block's records as JSON lines. Each line is a cursor: `seq`, `index` and `count` say which of how many records of the block it
 * is, `prevSeq` and `prevIndex` which line came before.
 */
export function recordLines({ seq, number, id, parentId, records }: BlockRecords, before?: RecordPlace): string {
  let last = before;
  let lines = '';
  for (const [index, { trigger, key, payload }] of records.entries()) {
    const previous = last === undefined ? '' : `"prevSeq":${last.seq},"prevIndex":${last.index},`;
    lines +=
      `{"topic":"${trigger}","key":${jsonText(key)},"seq":${seq},"index":${index},"count":${records.length},` +
      `"blockNum":${number},"blockId":"${id}","parentId":"${parentId}",${previous}"event":${payload}}\n`;
    last = { seq, index };
  }
  return lines;
}
