// Compiles java-tron by hand where its own build does not run: node build.mjs <sources of java-tron> <target>; of 4.7.2, or of
// 4.8.2, which has a folder `platform`. Needs Maven and JDK 17 on the PATH. Result: <target>/lib (jars) and <target>/classes; both go on the class path. Nothing is
// written into the sources.
import { execFileSync } from 'node:child_process';
import { chmodSync, cpSync, existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const here = fileURLToPath(new URL('.', import.meta.url));
const COPY_PLUGIN = 'org.apache.maven.plugins:maven-dependency-plugin:3.6.1:copy';

const [sources, target] = process.argv.slice(2).map((path) => resolve(path));
if (sources === undefined || target === undefined) {
  console.error('node build.mjs <sources of java-tron> <target>');
  process.exit(1);
}
const isLater = existsSync(join(sources, 'platform'));
/** In the order of their dependencies: a later one may have a class of an earlier one again, so each is compiled by itself. */
const MODULES = [
  'protocol',
  ...(isLater ? ['platform'] : []),
  ...['common', 'crypto', 'chainbase', 'actuator', 'consensus', 'framework'],
];
const PROTOC = `com.google.protobuf:protoc:${isLater ? '3.25.8' : '3.5.1-1'}:exe:linux-x86_64`;
const GRPC = `io.grpc:protoc-gen-grpc-java:${isLater ? '1.60.0' : '1.9.0'}:exe:linux-x86_64`;
const POM = join(here, ...(isLater ? ['4.8.2'] : []), 'pom.xml');
/** The programs around it; one that serves and is given blocks is written for 4.7.2 alone. */
const PROGRAMS = [
  ...['FuzzedNode.java', 'FuzzedRows.java', 'ServedNode.java'],
  isLater ? '4.8.2/ZksnarkInitService.java' : 'PushedNode.java',
];
const [lib, bin, protos, generated, classes] = ['lib', 'bin', 'protos', 'generated', 'classes'].map((name) =>
  join(target, name),
);
fetchJars();
generateMessages();
for (const module of MODULES) compile(module);
javac(PROGRAMS.map((name) => join(here, name)));
console.log(`${lib}/*:${classes}`);

function fetchJars() {
  mkdirSync(target, { recursive: true });
  run('mvn', ['-q', '-B', '-f', POM, 'dependency:copy-dependencies', `-DoutputDirectory=${lib}`]);
  for (const artifact of [PROTOC, GRPC]) {
    run('mvn', ['-q', '-B', COPY_PLUGIN, `-Dartifact=${artifact}`, `-DoutputDirectory=${bin}`]);
  }
  for (const name of readdirSync(bin)) chmodSync(join(bin, name), 0o755);
}

function generateMessages() {
  for (const folder of [protos, generated]) {
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder, { recursive: true });
  }
  const wanted = /^(proto-google-common-protos|googleapis-common-protos|protobuf-java-\d).*\.jar$/;
  for (const jar of readdirSync(lib).filter((name) => wanted.test(name))) {
    run('jar', ['xf', join(lib, jar)], protos);
  }
  const ours = join(sources, 'protocol', 'src', 'main', 'protos');
  const files = filesBelow(ours, '.proto').map((path) => path.slice(ours.length + 1));
  const find = (start) =>
    join(
      bin,
      readdirSync(bin).find((name) => name.startsWith(start)),
    );
  run(find('protoc-3'), [
    `--plugin=protoc-gen-grpc-java=${find('protoc-gen-grpc-java')}`,
    `-I${ours}`,
    `-I${protos}`,
    `--java_out=${generated}`,
    `--grpc-java_out=${generated}`,
    ...files,
  ]);
}

function compile(module) {
  const main = join(sources, module, 'src', 'main');
  const files = [
    ...(module === 'protocol' ? filesBelow(generated, '.java') : []),
    ...(existsSync(join(main, 'java')) ? filesBelow(join(main, 'java'), '.java') : []).filter(isOfThisMachine),
  ];
  const list = join(target, `${module}.files`);
  writeFileSync(list, files.map((file) => `"${file}"`).join('\n'));
  javac([`@${list}`]);
  if (existsSync(join(main, 'resources'))) cpSync(join(main, 'resources'), classes, { recursive: true });
}

/** 4.8.2 has some classes twice, for two kinds of processors. */
function isOfThisMachine(path) {
  return !path.includes(join('java', 'arm', 'org'));
}

function javac(files) {
  const lombok = readdirSync(lib).find((name) => name.startsWith('lombok-'));
  mkdirSync(classes, { recursive: true });
  run('javac', [
    ...['-nowarn', '-Xlint:none', '-Xmaxwarns', '1', '-encoding', 'UTF-8', '-d', classes],
    ...['-cp', `${join(lib, '*')}:${classes}`, '-processorpath', join(lib, lombok)],
    ...files,
  ]);
}

function filesBelow(folder, end) {
  return readdirSync(folder, { recursive: true })
    .map((name) => join(folder, String(name)))
    .filter((path) => path.endsWith(end))
    .sort();
}

function run(command, args, cwd = target) {
  execFileSync(command, args, { cwd, stdio: ['ignore', 'ignore', 'inherit'] });
}
