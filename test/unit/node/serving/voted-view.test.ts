import t from 'tap';
import type { ChainView } from '../../../../src/api/context/api-context.js';
import type { PastViews } from '../../../../src/api/context/past-views.js';
import type { ChainSource } from '../../../../src/node/serving/chain-source.js';
import { VotedView } from '../../../../src/node/serving/voted-view.js';

function viewAt(headNumber: number): ChainView {
  return { headNumber } as ChainView;
}

interface Case {
  readonly head: number;
  readonly stored: number;
  readonly voted: number;
  readonly waits?: boolean;
  readonly shown: number;
  readonly again: number;
}

function votedView({ head, stored, voted, waits = false }: Omit<Case, 'shown' | 'again'>) {
  const source = {
    ledger: { position: { headNumber: head } },
    storedNumber: stored,
    snapshotCount: head - stored + (waits ? 1 : 0),
  } as ChainSource;
  const [headView, storedView] = [viewAt(head), viewAt(stored)];
  const past = new Map<number, ChainView>();
  const at = (number: number): ChainView => {
    const known = past.get(number) ?? viewAt(number);
    past.set(number, known);
    return known;
  };
  const view = new VotedView({
    source,
    votedHeight: () => voted,
    head: () => headView,
    stored: () => storedView,
    past: { at } as PastViews,
  });
  return { view, headView };
}

// Heights of the views of java-tron 4.7.2, except for the case in which `voted` is above the head. `again` is the
// height for getnowblock with POST.
const CASES: readonly Case[] = [
  { head: 225, stored: 203, voted: 222, shown: 222, again: 225 },
  { head: 224, stored: 203, voted: 222, waits: true, shown: 223, again: 224 },
  { head: 226, stored: 204, voted: 226, shown: 226, again: 226 },
  { head: 249, stored: 238, voted: 249, waits: true, shown: 249, again: 249 },
  { head: 226, stored: 205, voted: 201, shown: 205, again: 222 },
  { head: 225, stored: 205, voted: 201, waits: true, shown: 205, again: 222 },
  { head: 226, stored: 205, voted: 227, shown: 205, again: 205 },
];

t.test('returns the same height as java-tron, which reverts the newest state step by step', async (t) => {
  for (const { shown, again, ...given } of CASES) {
    const { view } = votedView(given);
    t.equal(view.view().headNumber, shown, JSON.stringify(given));
    t.equal(view.again().headNumber, again, `${JSON.stringify(given)}, second request`);
  }
});

t.test('lists rows of the head, and reads flushed rows at the stored height', async (t) => {
  const { view, headView } = votedView({ head: 225, stored: 203, voted: 222 });
  const shown = view.view();
  t.equal(shown.listed, headView);
  t.equal(shown.flushedNumber, 203);
  t.equal(view.view(), shown, 'the same view without a change');
  const older = votedView({ head: 225, stored: 203, voted: 200 });
  t.equal(older.view.view().listed, undefined, 'an older view lists its own rows');
  t.equal(votedView({ head: 225, stored: 203, voted: 225 }).view.view().listed, undefined);
});

t.test('returns the view at the voted height without tracking java-tron memory', async (t) => {
  const source = { ledger: { position: { headNumber: 9 } } } as ChainSource;
  const view = new VotedView({
    source,
    votedHeight: () => 7,
    head: () => viewAt(9),
    stored: () => viewAt(5),
    past: { at: viewAt } as PastViews,
  });
  t.equal(view.view().headNumber, 7);
});
