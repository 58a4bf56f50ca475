import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { openSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { compileDriver } from './compiled.js';

const FLAGS = [
  ...['-Xmx1500m', '-XX:+UseSerialGC', '-XX:TieredStopAtLevel=1'],
  // Default encoding of texts: UTF-8, as on most servers.
  '-Dfile.encoding=UTF-8',
  // A NullPointerException has the text of Java 8, and the JIT compiler does not remove the texts of frequent
  // exceptions.
  ...['-XX:-ShowCodeDetailsInExceptionMessages', '-XX:-OmitStackTraceInFastThrow'],
  ...['--add-opens', 'java.base/java.lang=ALL-UNNAMED', '--add-opens', 'java.base/java.util=ALL-UNNAMED'],
];

/** File with the standard error output of the process. */
const ERROR_FILE = 'java.err';
/**
 * Number of characters of the process's standard error that an error contains: enough for the causes of one
 * exception.
 */
const ERROR_CHARACTERS = 8000;

/** Start options of a node without peers. Its results do not depend on the clock. */
export const ALONE: readonly string[] = ['--p2p-disable', 'true', '--debug'];

/**
 * A java-tron process that a program of this folder controls. It reads one line per command and writes one line per
 * answer.
 */
export class JavaProcess {
  private readonly child: ChildProcess;
  private readonly lines: AsyncIterator<string>;
  private readonly folder: string;

  /**
   * @param reference folder of a compiled java-tron
   * @param folder folder with `config.conf`; the data is stored there too
   */
  constructor(program: string, reference: string, folder: string, flags: readonly string[]) {
    this.folder = folder;
    // Turns off the log line for each empty slot. If the chain skips days, these lines would take most of the time.
    const logging = join(folder, 'logback.xml');
    writeFileSync(logging, '<configuration><root level="OFF"/></configuration>');
    const path = compileDriver(program, reference, folder);
    const machine = [...FLAGS, `-Dlogback.configurationFile=${logging}`, '-cp', path];
    const node = ['-d', join(folder, 'java'), '-c', join(folder, 'config.conf')];
    this.child = spawn('java', [...machine, program, ...node, ...flags], {
      cwd: folder,
      stdio: ['pipe', 'pipe', openSync(join(folder, ERROR_FILE), 'w')],
    });
    const { stdout } = this.child;
    assert.ok(stdout !== null);
    this.lines = createInterface({ input: stdout })[Symbol.asyncIterator]();
  }

  /** Sends a command. @returns the words of its answer */
  async request(line: string): Promise<string[]> {
    this.child.stdin?.write(`${line}\n`);
    return this.answer();
  }

  /** Waits for the next line of the process. @returns its words */
  async answer(): Promise<string[]> {
    const { value, done } = await this.lines.next();
    // The folder of a measurement is deleted at its end, so the error contains the output of java-tron.
    if (done === true) throw new Error(`java-tron ended: ${this.errorOutput()}`);
    return value.split(' ');
  }

  stop(): void {
    this.child.kill('SIGKILL');
  }

  /** Returns the end of what the process wrote to standard error. */
  private errorOutput(): string {
    return readFileSync(join(this.folder, ERROR_FILE), 'utf8').slice(-ERROR_CHARACTERS);
  }
}
