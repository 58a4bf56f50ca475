import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import Fastify from 'fastify';
import t from 'tap';
import { serveHealth } from '../../../../src/api/health/health-page.js';
import type { UnreadyReason } from '../../../../src/api/health/readiness.js';
import { NO_FLAGS } from '../../../../src/config/flags.js';
import { loadConfig, MAIN_NET_FILE, type NodeConfig } from '../../../../src/config/load-config.js';
import { lockFolder } from '../../../../src/files/folder-lock.js';
import { checkClock, writeTime } from '../../../../src/node/doctor/clock-offset.js';
import { isInUse } from '../../../../src/node/doctor/data.js';
import type { Finding } from '../../../../src/node/doctor/finding.js';
import {
  checkMemory,
  checkNode,
  checkOpenFiles,
  checkSignatures,
  checkSpace,
} from '../../../../src/node/doctor/machine.js';
import { machineNeeds } from '../../../../src/node/doctor/machine-needs.js';
import { checkReadiness } from '../../../../src/node/doctor/readiness.js';
import { checkSignedBlocks } from '../../../../src/node/doctor/signed-blocks.js';
import { temporaryFolder } from '../../../support/temporary-folder.js';
import { runTronicle } from '../../../support/tronicle.js';

const GIB = 2 ** 30;
const privateNet = loadConfig({ file: 'deploy/config.conf', flags: NO_FLAGS }).config;

t.test('checks values on both sides of each bound', async (t) => {
  t.equal(checkNode('18.20.1').level, 'bad');
  t.match(checkNode('20.0.0'), { level: 'warn', remedy: /install Node\.js 24/ });
  t.equal(checkNode('22.0.0').level, 'ok');
  t.equal(checkNode('24.0.0').level, 'ok');
  const memory = (bytes: number) => checkMemory(machineNeeds(privateNet), bytes).level;
  t.same([GIB, GIB + 1, 4 * GIB, 4 * GIB + 1].map(memory), ['bad', 'warn', 'warn', 'ok']);
  const limits = (files: number | string) => checkOpenFiles(`Max open files            ${files}   1 files\n`).level;
  t.same([512, 513, 4095, 4096, 'unlimited'].map(limits), ['bad', 'warn', 'warn', 'ok', 'ok']);
  t.equal(checkOpenFiles('').level, 'unknown');
  t.match(checkSignatures({ library: 'noble', reason: 'no addon' } as never), { level: 'warn', remedy: /rebuild/ });
});

t.test('compares the machine with the requirements of the network', async (t) => {
  const folder = temporaryFolder(t);
  const mainNet = machineNeeds(loadConfig({ file: MAIN_NET_FILE, flags: NO_FLAGS }).config);
  t.match(checkMemory(mainNet, 4 * GIB), { level: 'bad', remedy: /main net/ });
  t.equal(checkMemory(mainNet, 16 * GIB).level, 'ok');
  const other = machineNeeds(privateNet);
  t.equal((await checkSpace({ ...other, space: { warn: 0, bad: -1 } }, folder)).level, 'ok');
  const huge = { warn: 2 ** 40, bad: 2 ** 39 };
  t.match(await checkSpace({ ...other, space: huge }, folder), { level: 'bad', remedy: /needs more than/ });
  const grown = await checkSpace({ ...other, space: huge }, folder, 2 ** 41 * GIB);
  t.equal(grown.level, 'ok', 'counts the current size of the data folder');
});

t.test('reports a witness node without a key as critical', async (t) => {
  const witness = { enabled: true, privateKeys: [] };
  t.match(checkSignedBlocks({ ...privateNet, witness }), [{ level: 'bad', remedy: /localwitness/ }]);
  t.same(checkSignedBlocks({ ...privateNet, witness: { ...witness, enabled: false } }), []);
});

/** Starts a time server. @param offset error of its time in ms; undefined for a server that returns no time */
async function timeServer(offset: number | undefined): Promise<Socket> {
  const server = createSocket('udp4');
  server.on('message', (question, { address, port }) => {
    const answer = Buffer.alloc(48);
    answer[1] = offset === undefined ? 0 : 2;
    question.copy(answer, 24, 40, 48);
    for (const at of [32, 40]) writeTime(answer, at, Date.now() + (offset ?? 0));
    server.send(answer, port, address);
  });
  server.bind(0, '127.0.0.1');
  await once(server, 'listening');
  return server;
}

t.test('compares the clock with a server', async (t) => {
  for (const [offset, level] of [
    [0, 'ok'],
    [-600, 'warn'],
    [60_000, 'bad'],
    [undefined, 'unknown'],
  ] as const) {
    const server = await timeServer(offset);
    const found = await checkClock(`127.0.0.1:${server.address().port}`);
    server.close();
    t.equal(found.level, level, `${offset}: ${found.found}`);
  }
});

t.test('prints remedies or JSON, and sets the exit code', async (t) => {
  const folder = temporaryFolder(t);
  const clock = await timeServer(0);
  const occupied = createServer().listen(0, '0.0.0.0');
  await once(occupied, 'listening');
  t.teardown(() => {
    clock.close();
    occupied.close();
  });
  const { port } = occupied.address() as AddressInfo;
  const off = ['http.solidityEnable', 'http.PBFTEnable', 'rpc.enable', 'rpc.solidityEnable', 'rpc.PBFTEnable'];
  const file = join(folder, 'node.conf');
  writeFileSync(
    file,
    [
      'storage {}',
      // Sets release 4.8.2, because 4.7.2 has no configuration keys that disable most of these servers.
      'tronicle.release = "4.8.2"',
      ...off.map((key) => `node.${key} = false`),
      `node.http.fullNodePort = ${port}`,
      'tronicle.http.enable = false',
    ].join('\n'),
  );
  const data = join(folder, 'data');
  const request = [
    'doctor',
    '-c',
    file,
    '-d',
    data,
    '--p2p-disable',
    'true',
    '--ntp',
    `127.0.0.1:${clock.address().port}`,
  ];
  const inUse = await runTronicle([...request, '--json']);
  const findings = JSON.parse(inUse.stdout) as Finding[];
  t.equal(inUse.code, 1);
  t.match(
    findings.find(({ check }) => check === 'ports'),
    { level: 'bad', found: `node.http.fullNodePort ${port}/tcp (EADDRINUSE)`, remedy: /ss -lntup/ },
  );
  for (const { level, remedy, check } of findings) t.equal(remedy !== undefined, level !== 'ok', check);

  await new Promise((resolve) => occupied.close(resolve));
  const free = await runTronicle(request);
  t.match(free.stdout, /^ok +ports +1 free$/m);
  t.equal(free.code, findings.some(({ level, check }) => level === 'bad' && check !== 'ports') ? 1 : 0, free.stdout);

  mkdirSync(join(data, 'log'), { recursive: true });
  writeFileSync(join(data, 'log', 'data.mdb'), Buffer.alloc(16_384, 7));
  const damaged = await runTronicle(request);
  t.equal(damaged.code, 1);
  t.match(damaged.stdout, /^CRITICAL +data .*\n +→ run tronicle verify/m);
  const status = await runTronicle(['status', '-d', data]);
  t.match(
    status,
    { code: 1, signal: null, stdout: '', stderr: /data\.mdb is damaged/ },
    'status also checks the files first',
  );
});

t.test('reports why a running node is not ready, and a storage failure as critical', async (t) => {
  let reasons: readonly UnreadyReason[] = [];
  const app = Fastify();
  serveHealth(app, () => reasons);
  await app.listen({ port: 0, host: '127.0.0.1' });
  const { port } = app.server.address() as AddressInfo;
  const http = { enable: true, address: '0.0.0.0', port };
  const check = (over = {}, isRunning = true) =>
    checkReadiness({ tronicle: { http: { ...http, ...over } } } as NodeConfig, isRunning);
  t.same(await check({}, false), [], 'no node is running');
  t.match(await check(), [{ check: 'readiness', level: 'ok' }]);
  const sink = { check: 'sink', message: 'sink a stopped: no reason' } as const;
  reasons = [sink];
  t.match(await check(), [{ level: 'warn', found: sink.message }]);
  reasons = [{ check: 'storage', message: 'blocks cannot be stored: the disk is full' }, sink];
  t.match(await check(), [{ level: 'bad', found: /the disk is full; sink a/, remedy: /^free disk space/ }]);
  t.match(await check({ enable: false }), [{ level: 'unknown' }]);
  await app.close();
  t.match(await check(), [{ level: 'unknown', found: /readyz/ }]);
});

t.test('distinguishes a folder in use from an unused one', async (t) => {
  const folder = temporaryFolder(t);
  t.equal(await isInUse(folder), false);
  const lock = await lockFolder(folder);
  t.equal(await isInUse(folder), true);
  lock.close();
});

// Configurations with which the node does not start.
for (const [what, release, lines, found, remedy] of [
  ['an empty localwitness', '4.8.2', 'localwitness = []', /localWitnesses is null/, /set localwitness/],
  ['an invalid value', '4.8.2', 'node.maxConnections = many', /node\.maxConnections/, /correct the configuration/],
] as const)
  t.test(`reports ${what} as critical, and still checks the machine`, async (t) => {
    const folder = temporaryFolder(t);
    const file = join(folder, 'node.conf');
    writeFileSync(file, ['storage {}', `tronicle.release = "${release}"`, lines].join('\n'));
    const run = await runTronicle(['doctor', '--json', '-w', '-c', file, '--ntp', '127.0.0.1:9'], { cwd: folder });
    t.equal(run.code, 1, run.stderr);
    const findings = JSON.parse(run.stdout) as Finding[];
    t.match(findings[0], { check: 'config', level: 'bad', found, remedy });
    t.same(
      findings.map(({ check }) => check),
      ['config', 'node', 'open files', 'signatures', 'clock'],
    );
  });
