import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import pino from 'pino';
import t from 'tap';
import { ReleaseWatch } from '../../../src/chain/release-watch.js';
import { Proposal, Witness } from '../../../src/codec/generated/messages.js';
import { NO_FLAGS } from '../../../src/config/flags.js';
import { loadConfig } from '../../../src/config/load-config.js';
import { openChain } from '../../../src/node/open-chain.js';
import { addressBytes } from '../../../src/primitives/address.js';
import { fromHex } from '../../../src/primitives/bytes.js';
import { decodeBlock } from '../../../src/state-transition/block/decoded-block.js';
import { electWitnesses } from '../../../src/state-transition/consensus/schedule.js';
import { proposalKey } from '../../../src/state-transition/governance/process-proposals.js';
import { release482 } from '../../../src/state-transition/releases/release-4.8.2.js';
import { readLines } from '../../conformance/recording.js';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { golden, runTronicle } from '../../support/tronicle.js';
import { addressOf, bytesOf, stateWith } from '../../support/vm/state-with.js';

const chain = join(golden, 'release-4.8.2', 'system-tour48');
const advice = 'unknown to release 4.7.2; release 4.8.2 has it; set tronicle.release = "4.8.2"';

t.test('stops an older release where a newer chain diverges and names the next release', async (t) => {
  const folder = temporaryFolder(t);
  const [blocks, config] = [join(chain, 'blocks.ndjson.gz'), join(chain, 'config.conf')];
  const stopped = await runTronicle(['import', blocks, '-c', config, '-d', join(folder, 'old')]);
  t.equal(stopped.code, 1);
  t.match(stopped.stderr, `4 of 5 active witnesses produce block version 36, ${advice.replaceAll('"', '\\"')}`);
  t.match(stopped.stderr.trim().split('\n').at(-1), advice);
  const newer = join(folder, 'new');
  const followed = await runTronicle(['import', blocks, '-c', config, '-d', newer, '--release', '4.8.2', '--debug']);
  t.equal(followed.code, 0);
  const opened = await runTronicle(['import', blocks, '-c', config, '-d', newer]);
  t.equal(opened.code, 1);
  t.match(opened.stderr, `the chain has set parameter 79 (ALLOW_OLD_REWARD_OPT), ${advice}`);
  const replayed = await runTronicle(['replay', '-c', config, '-d', newer]);
  t.equal(replayed.code, 1);
  t.match(
    replayed.stderr,
    `needs rules unknown to this node: 5 of 5 active witnesses produce block version 36, ${advice}`,
  );
});

t.test('warns of a newer release once, and stops only at a block that it must reject', async (t) => {
  const { config } = loadConfig({ file: join(chain, 'config.conf'), flags: NO_FLAGS });
  const open = await openChain({ config, dataDir: temporaryFolder(t), log: pino({ level: 'silent' }) });
  t.teardown(() => open.ledger.close());
  const calls: [string, number][] = [];
  open.listeners.add({
    newerRelease: () => calls.push(['warning', open.ledger.position.headNumber]),
    outdated: () => calls.push(['stop', open.ledger.position.headNumber]),
  });
  for await (const { num, block } of readLines<{ num: number; block?: string }>(join(chain, 'blocks.ndjson.gz'))) {
    if (num === 0 || block === undefined) continue;
    try {
      open.importBlock(decodeBlock(fromHex(block)));
    } catch {
      break;
    }
  }
  t.match(
    calls.map(([kind]) => kind),
    ['warning', 'stop'],
  );
  const [[, warnedAt], [, stoppedAt]] = calls as [[string, number], [string, number]];
  t.ok(warnedAt < stoppedAt, 'the node continues after the warning');
});

t.test('requires a known release', async (t) => {
  const folder = temporaryFolder(t);
  const config = join(folder, 'wrong.conf');
  writeFileSync(config, `${readFileSync(join(chain, 'config.conf'), 'utf8')}\ntronicle.release = "4.9"\n`);
  const outcome = await runTronicle(['import', join(chain, 'blocks.ndjson.gz'), '-c', config, '-d', folder]);
  t.equal(outcome.code, 1);
  t.match(outcome.stderr, 'Check tronicle.release, must be one of 4.7.2, 4.8.2, 4.8.2.2, 4.8.2.3, actual: 4.9');
});

t.test('reports a proposal with an unknown parameter once enough witnesses approve it', async (t) => {
  const state = stateWith({ LATEST_PROPOSAL_NUM: 1n }, release482);
  const witnesses = [1, 2, 3, 4, 5].map(addressOf);
  for (const fill of [1, 2, 3, 4, 5]) {
    state.witnesses.put(addressOf(fill), Object.assign(new Witness(), { address: bytesOf(fill) }));
  }
  electWitnesses(state, witnesses);
  const proposal = Object.assign(new Proposal(), { proposalId: 1n, expirationTime: 1_800_000_000_000n });
  proposal.parameters.set(199n, 1n);
  proposal.approvals = witnesses.slice(0, 2).map(addressBytes);
  state.proposals.put(proposalKey(1n), proposal);
  const watch = new ReleaseWatch(state);
  t.equal(watch.warning(), undefined);
  state.proposals.toWrite(proposalKey(1n))!.approvals = witnesses.slice(0, 3).map(addressBytes);
  const sets = 'proposal 1 is approved and sets parameter 199 at 2027-01-15T08:00:00.000Z';
  const none = 'no supported release has it; install a newer version of this program';
  t.equal(watch.warning(), `${sets}, unknown to release 4.8.2; ${none}`);
  t.equal(watch.warning(), undefined);
  const newer = release482.blockVersion + 10;
  state.properties.setForkStats(newer, Uint8Array.of(1, 1, 1, 1, 1));
  t.match(watch.warning(), `5 of 5 active witnesses produce block version ${newer}, unknown to release 4.8.2; ${none}`);
  t.equal(watch.warning(), undefined, 'both were reported');
});
