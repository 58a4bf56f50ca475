import type { Ledger } from '../../projections/ledger/ledger.js';
import type { Query } from './query.js';
import { V1Error } from './v1-error.js';
import type { V1Source } from './v1-source.js';

/** Range of heights, both ends included. Empty if `from` is above `to`. */
export interface HeightRange {
  readonly from: number;
  readonly to: number;
}

/** Returns the range of heights that the parameters of a query select. @throws {V1Error} a parameter is invalid */
export function heightRange({ ledger, blocks }: V1Source, query: Query): HeightRange {
  const { headNumber } = ledger.position;
  const timeOf = (number: number): number => Number(blocks.byNumber(number)?.header.timestamp ?? -1);
  const [earliest, latest] = [query.time('min_block_timestamp'), query.time('max_block_timestamp')];
  const number = query.number('block_number');
  const confirmed = confirmedRange(ledger, query);
  const lows = [confirmed.from, number ?? 0];
  const highs = [confirmed.to, number ?? headNumber];
  if (earliest !== undefined) lows.push(firstFrom(earliest, headNumber, timeOf));
  if (latest !== undefined) highs.push(firstFrom(latest + 1, headNumber, timeOf) - 1);
  return { from: Math.max(...lows), to: Math.min(...highs) };
}

/**
 * Returns the range of heights with the requested finality: solidified, unsolidified, or all blocks.
 * @throws {V1Error} the query has both `only_confirmed` and `only_unconfirmed`
 */
export function confirmedRange({ position }: Pick<Ledger, 'position'>, query: Query): HeightRange {
  const isConfirmed = query.flag('only_confirmed') === true;
  const isUnconfirmed = query.flag('only_unconfirmed') === true;
  if (isConfirmed && isUnconfirmed) throw new V1Error(400, 'use only_confirmed or only_unconfirmed, not both');
  return {
    from: isUnconfirmed ? position.solidifiedNumber + 1 : 0,
    to: isConfirmed ? position.solidifiedNumber : position.headNumber,
  };
}

/** Returns the height of the first block at or after a time. Binary search is possible, because block times ascend. */
function firstFrom(timeMs: number, headNumber: number, timeOf: (number: number) => number): number {
  let [low, high] = [0, headNumber + 1];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if (timeOf(middle) < timeMs) low = middle + 1;
    else high = middle;
  }
  return low;
}
