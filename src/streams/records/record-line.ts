import { jsonText } from './event-json.js';
import type { BlockRecords, RecordPosition } from './event-record.js';

/**
 * Returns a block's records as JSON lines. Each line contains its position: it is number `index` of `count` records of
 * the block at `seq`. The previous line is at `prevSeq` and `prevIndex`.
 */
export function recordLines(block: BlockRecords, before?: RecordPosition): string {
  const { seq, records, change } = block;
  const moved = change === undefined ? '' : `"change":"${change}","entryNum":${block.number},"entryId":"${block.id}",`;
  let last = before;
  let lines = '';
  const count = block.count ?? records.length;
  for (const [at, { trigger, key, payload, block: of = block, index = at }] of records.entries()) {
    // If some records are omitted, the last index does not show that the block is complete, so the last line is marked.
    const end = block.count !== undefined && at === records.length - 1 ? '"end":true,' : '';
    const previous = last === undefined ? '' : `"prevSeq":${last.seq},"prevIndex":${last.index},`;
    lines +=
      `{"topic":"${trigger}","key":${jsonText(key)},"seq":${seq},"index":${index},"count":${count},${end}` +
      `"blockNum":${of.number},"blockId":"${of.id}","parentId":"${of.parentId}",${moved}${previous}"event":${payload}}\n`;
    last = { seq, index };
  }
  return lines;
}
