import { createHash } from 'node:crypto';
import t from 'tap';
import { BoundedCache } from '../../../src/p2p/bounded-cache.js';
import { IdCache } from '../../../src/p2p/id-cache.js';

const idAt = (i: number): string => createHash('sha256').update(String(i)).digest('hex');
const MB = 1024 * 1024;
/** Returns an invented block id: a number, followed by constant bytes. */
const numbered = (i: number): string => `b${i.toString(16).padStart(16, '0')}${'7'.repeat(48)}`;

t.test('stores the same ids as a bounded cache', async (t) => {
  let ms = 0;
  const bounds = { entriesMax: 700, lifeMs: 5000, now: () => ms };
  const [ids, plain] = [new IdCache(bounds), new BoundedCache<true>(bounds)];
  let drawn = 12_345;
  const draw = (below: number): number => {
    drawn = (Math.imul(drawn, 1_103_515_245) + 12_345) >>> 0;
    return (drawn >>> 8) % below;
  };
  const written = new Map<string, number>();
  let differences = 0;
  for (let step = 0; step < 40_000; step++) {
    const key = draw(2) === 0 ? idAt(draw(1500)) : numbered(draw(1500));
    const what = draw(8);
    ms += draw(3);
    if (what < 5) {
      written.set(key, ms);
      ids.add(key);
      plain.set(key, true);
    } else if (what === 5) {
      ids.delete(key);
      plain.delete(key);
    } else {
      const isThere = plain.has(key);
      if (ids.ageOf(key) !== (isThere ? ms - written.get(key)! : undefined)) differences++;
      if (ids.has(key) !== isThere) differences++;
    }
    if (ids.size !== plain.size) differences++;
  }
  t.equal(differences, 0);
  t.equal(ids.size, 700);
});

t.test('distinguishes a block and a transaction with one id and ignores malformed ids', async (t) => {
  const ids = new IdCache({ entriesMax: 10, now: () => 0 });
  t.equal(ids.add(`b${idAt(1)}`), true);
  t.same([ids.has(`b${idAt(1)}`), ids.has(idAt(1)), ids.has(`?${idAt(1)}`)], [true, false, false]);
  for (const wrong of ['', 'b', idAt(1).slice(1), `bb${idAt(1)}`, 'z'.repeat(64)]) t.notOk(ids.add(wrong), wrong);
  t.equal(ids.size, 1);
});

t.test('stores 20,000 of 200,000 announced ids in 1.4 MB with little garbage', async (t) => {
  const before = process.memoryUsage().arrayBuffers;
  const ids = new IdCache({ entriesMax: 20_000, lifeMs: 3_600_000, now: () => 0 });
  for (let i = 0; i < 20_000; i++) ids.add(numbered(i));
  const full = process.memoryUsage().arrayBuffers;
  for (let i = 20_000; i < 200_000; i++) ids.add(numbered(i));
  t.equal(ids.size, 20_000);
  t.same([ids.has(numbered(179_999)), ids.has(numbered(180_000)), ids.has(numbered(199_999))], [false, true, true]);
  // Arrays that were replaced may still be in memory, because the garbage collector has not run.
  t.ok(full - before < 3 * 1.4 * MB, `${full - before} bytes`);
  t.ok(process.memoryUsage().arrayBuffers < full + MB / 4, 'more ids use no more memory');
});
