import t from 'tap';
import { releaseNamed, releases } from '../../../../src/state-transition/releases/index.js';

t.test('finds a release by name and includes the versions of earlier ones', async (t) => {
  t.equal(releaseNamed('4.9'), undefined);
  for (const release of releases) t.equal(releaseNamed(release.name), release);
  const [first, ...later] = releases;
  for (const release of later) {
    t.same(release.forkVersions.slice(0, first.forkVersions.length), first.forkVersions);
    for (const id of first.parameters.keys()) t.ok(release.parameters.has(id), `${release.name} keeps ${id}`);
    t.ok(release.blockVersion > first.blockVersion);
  }
});

t.test('the block versions of a release rise, and it produces blocks with the last one', async (t) => {
  for (const { forkVersions, blockVersion } of releases) {
    const versions = forkVersions.map(({ version }) => version);
    t.same(
      versions,
      [...versions].sort((a, b) => a - b),
    );
    t.equal(versions.at(-1), blockVersion);
  }
});
