import { createInterface } from 'node:readline';
import { type Duplex, duplexPair } from 'node:stream';
import t, { type Test } from 'tap';
import type { EventLine, FollowLine, FollowRequest, HeaderLine } from '../../../../src/api/follow/follow-lines.js';
import { Followers } from '../../../../src/api/follow/followers.js';
import { TransactionRet } from '../../../../src/codec/generated/messages.js';
import { fromHex, toHex } from '../../../../src/primitives/bytes.js';
import { type ServedChain, serveRecording } from '../../../support/graphql/served-chain.js';
import { silent } from '../../../support/projections/chain.js';
import { until } from '../../../support/until.js';

interface FollowerLink {
  readonly link: Duplex;
  readonly other: Duplex;
  /** Messages that the server has sent so far. */
  readonly lines: FollowLine[];
  headers(): HeaderLine[];
  events(): EventLine[];
}

function serve(t: Test, { chain, api }: ServedChain): Followers {
  const followers = new Followers({ ledger: chain.ledger, rules: chain.state.rules, api, log: silent });
  t.teardown(() => followers.close());
  return followers;
}

function query(t: Test, followers: Followers, question: FollowRequest | string): FollowerLink {
  const [link, other] = duplexPair();
  const lines: FollowLine[] = [];
  createInterface({ input: link }).on('line', (line) => lines.push(JSON.parse(line) as FollowLine));
  t.teardown(() => link.destroy());
  followers.take(other);
  link.write(typeof question === 'string' ? question : `${JSON.stringify(question)}\n`);
  return {
    link,
    other,
    lines,
    headers: () => lines.filter((line) => line.type === 'header'),
    events: () => lines.filter((line) => line.type === 'event'),
  };
}

t.test('streams past headers, then new headers, and events after their block is solidified', async (t) => {
  const served = await serveRecording(t, 'tvm-forks-14-shanghai', { until: 10 });
  const { chain, recorded, pushTo } = served;
  const { ledger } = chain;
  const followers = serve(t, served);
  const received = query(t, followers, { last: 4 });
  await until('the past headers', () => received.headers().length === 4);
  t.equal(received.lines[0]?.type, 'witnesses');
  t.equal(received.headers()[0]?.cursor, undefined);
  await pushTo(60);
  await until('all headers', () => received.headers().length === 54);
  const logs = recorded
    .filter(({ num }) => num > 0 && num <= ledger.position.solidifiedNumber)
    .flatMap(({ id, infos }) =>
      TransactionRet.decode(fromHex(infos)).transactioninfo.flatMap((info) =>
        info.log.map(({ data }, index) => ({ block: id, transaction: toHex(info.id), index, data: toHex(data) })),
      ),
    );
  await until('all events', () => received.events().length === logs.length);
  t.ok(logs.length > 5, `${logs.length} events`);
  t.match(received.events(), logs);

  const half = received.events()[2]!;
  const { cursor } = received.headers()[10]!;
  const later = query(t, followers, { after: { header: cursor!, event: half.cursor }, contracts: [half.contract] });
  const selected = received
    .events()
    .slice(3)
    .filter(({ contract }) => contract === half.contract);
  await until(
    'the remaining headers and events',
    () => later.headers().length === 43 && later.events().length === selected.length,
  );
  t.same(later.headers(), received.headers().slice(11));
  t.same(later.events(), selected, 'events of one contract, from the requested position on');
});

t.test('answers a malformed request with an error code and closes the connection', async (t) => {
  const followers = serve(t, await serveRecording(t, 'stake', { until: 3 }));
  const questions: readonly (readonly [string, string])[] = [
    ['nothing\n', 'BAD_REQUEST'],
    ['null\n', 'BAD_REQUEST'],
    ['{"last": 101}\n', 'BAD_REQUEST'],
    ['{"last": "5"}\n', 'BAD_REQUEST'],
    ['{"contracts": ["T"]}\n', 'BAD_REQUEST'],
    ['{"contracts": {}}\n', 'BAD_REQUEST'],
    ['{"after": {"header": 5}}\n', 'BAD_REQUEST'],
    ['{"after": {"header": "x"}}\n', 'BAD_CURSOR'],
    [' '.repeat(20_000), 'BAD_REQUEST'],
  ];
  for (const [question, code] of questions) {
    const { lines, link } = query(t, followers, question);
    await until(`the answer to ${question.slice(0, 40)}`, () => lines.length > 0 && link.readableEnded);
    t.match(lines, [{ type: 'error', code }], question.slice(0, 40));
  }
  const repeater = query(t, followers, '{}\n');
  await until('the first line', () => repeater.lines.length === 1);
  repeater.link.write('more');
  await until('the end of a connection that sends a second request', () => repeater.other.destroyed);
});

t.test('accepts two hundred followers', async (t) => {
  const followers = serve(t, await serveRecording(t, 'stake', { until: 3 }));
  const all = Array.from({ length: 200 }, () => query(t, followers, '{}\n'));
  await until('every follower has received a line', () => all.every(({ lines }) => lines.length === 1));
  const [, one] = duplexPair();
  followers.take(one);
  t.ok(one.destroyed, 'the connection above the limit is closed');
  await followers.close();
  t.ok(
    all.every(({ other }) => other.destroyed),
    'closing the server closes all connections',
  );
});
