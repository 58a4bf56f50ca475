import { jsonText } from './event-json.js';
import type { BlockRecords, RecordPosition } from './event-record.js';

/**
 * Returns the records of a block as JSON lines. Each line contains its own position (`seq`, `index`, `count`) and the
 * position of the previous line (`prevSeq`, `prevIndex`).
 */
export function recordLines(block: BlockRecords, before?: RecordPosition): string {
  const { seq, records, change } = block;
  const moved = change === undefined ? '' : `"change":"${change}","entryNum":${block.number},"entryId":"${block.id}",`;
  let last = before;
  let lines = '';
  const count = block.count ?? records.length;
  for (const [at, { trigger, key, payload, block: of = block, index = at }] of records.entries()) {
    // If records are omitted, the index of the last line does not show that the block is complete. The last line is
    // therefore marked.
    const end = block.count !== undefined && at === records.length - 1 ? '"end":true,' : '';
    const previous = last === undefined ? '' : `"prevSeq":${last.seq},"prevIndex":${last.index},`;
    lines +=
      `{"topic":"${trigger}","key":${jsonText(key)},"seq":${seq},"index":${index},"count":${count},${end}` +
      `"blockNum":${of.number},"blockId":"${of.id}","parentId":"${of.parentId}",${moved}${previous}"event":${payload}}\n`;
    last = { seq, index };
  }
  return lines;
}
