import t from 'tap';
import type { BlockRecords, EventRecord } from '../../../../../src/streams/records/event-record.js';
import { rowSteps, storableText } from '../../../../../src/streams/sinks/postgres/rows.js';

function block(number: number, records: readonly EventRecord[], change?: BlockRecords['change']): BlockRecords {
  return {
    seq: number,
    number,
    id: `id${number}`,
    parentId: `p${number}`,
    readAt: 0,
    records,
    ...(change && { change }),
  };
}

const record = (trigger: EventRecord['trigger'], payload = '{"a":1}', of?: EventRecord['block']): EventRecord => ({
  ...{ trigger, key: '', payload },
  ...(of && { block: of }),
});

t.test('joins the records of a trigger over several blocks, each with its position', async (t) => {
  const transaction = record('transaction');
  t.same(rowSteps([block(4, [transaction, record('block'), transaction]), block(5, [transaction])]), {
    steps: [
      {
        do: 'upsert',
        trigger: 'transaction',
        json: '[{"rowBlock":4,"rowIndex":0,"a":1},{"rowBlock":4,"rowIndex":1,"a":1},{"rowBlock":5,"rowIndex":0,"a":1}]',
      },
      { do: 'upsert', trigger: 'block', json: '[{"rowBlock":4,"rowIndex":0,"rowParent":"p4","a":1}]' },
    ],
    heights: { first: 4, last: 5 },
  });
});

t.test('deletes a reverted block between its rows and those of its successor', async (t) => {
  const { steps } = rowSteps([
    block(1, [record('block', '{"x":1}')]),
    block(1, [record('block', '{"x":1}')], 'reverted'),
    block(1, [record('block', '{"x":2}')]),
  ]);
  t.match(steps, [{ json: /"x":1/ }, { do: 'delete', number: 1 }, { json: /"x":2/ }]);
  t.equal(steps.length, 3);
});

t.test('uses the block of the record, if an entry solidifies several blocks', async (t) => {
  const of = (number: number) => ({ number, id: `id${number}`, parentId: `p${number}` });
  const records = [record('block', '{}', of(2)), record('block', '{}', of(3))];
  const { steps, heights } = rowSteps([block(9, records, 'solidified')]);
  t.match(steps[0], { json: /"rowBlock":2,"rowIndex":0,"rowParent":"p2".*"rowBlock":3,"rowIndex":0,"rowParent":"p3"/ });
  t.same(heights, { first: 2, last: 3 });
});

t.test('splits many bytes into several statements', async (t) => {
  const large = record('transaction', `{"data":"${'0'.repeat(3 * 1024 * 1024)}"}`);
  t.equal(rowSteps([block(1, [large, large, large, large])]).steps.length, 2);
});

t.test('has no statement for blocks without records', async (t) => {
  t.same(rowSteps([block(1, []), block(2, [])]), { steps: [], heights: undefined });
});

t.test('replaces only characters that PostgreSQL cannot store', async (t) => {
  for (const [given, stored] of [
    ['{"a":"plain"}', '{"a":"plain"}'],
    ['"\\u0000"', '"\\ufffd"'],
    ['"\\\\u0000"', '"\\\\u0000"'],
    ['"\\\\\\u0000"', '"\\\\\\ufffd"'],
    ['"\\ud83d\\ude00"', '"\\ud83d\\ude00"'],
    ['"\\ud83d \\uDE00"', '"\\ufffd \\ufffd"'],
    ['"\\u001F\\u00e4"', '"\\u001F\\u00e4"'],
  ] as const)
    t.equal(storableText(given), stored, given);
});
