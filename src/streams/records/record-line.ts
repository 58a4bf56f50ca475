import { jsonText } from './event-json.js';
import type { BlockRecords, RecordPosition } from './event-record.js';

/**
 * A block's records as JSON lines. Each line is a cursor: `seq`, `index` and
 * `count` say which of how many records of the block it is, `prevSeq` and `prevIndex` which line came before.
 */
export function recordLines(block: BlockRecords, before?: RecordPosition): string {
  const { seq, records, change } = block;
  const moved = change === undefined ? '' : `"change":"${change}","entryNum":${block.number},"entryId":"${block.id}",`;
  let last = before;
  let lines = '';
  const count = block.count ?? records.length;
  for (const [at, { trigger, key, payload, block: of = block, index = at }] of records.entries()) {
    // Where records are left out, the count does not tell that the block is whole.
    const end = block.count !== undefined && at === records.length - 1 ? '"end":true,' : '';
    const previous = last === undefined ? '' : `"prevSeq":${last.seq},"prevIndex":${last.index},`;
    lines +=
      `{"topic":"${trigger}","key":${jsonText(key)},"seq":${seq},"index":${index},"count":${count},${end}` +
      `"blockNum":${of.number},"blockId":"${of.id}","parentId":"${of.parentId}",${moved}${previous}"event":${payload}}\n`;
    last = { seq, index };
  }
  return lines;
}
