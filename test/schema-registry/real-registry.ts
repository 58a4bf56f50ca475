import { type ChildProcess, spawn } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { freePort } from '../support/free-port.js';
import { until } from '../support/until.js';

const folder = fileURLToPath(new URL('./target/app', import.meta.url));

/** A schema of the registry, as its API returns it. */
interface StoredSchema {
  readonly schema: string;
  /** Absent for Avro. */
  readonly schemaType?: string;
}

/** Apicurio Registry on loopback, with Confluent's API. It stores schemas in memory. */
export class RealRegistry {
  /** URL of the API. */
  readonly url: string;
  private readonly process: ChildProcess;

  private constructor(port: number, process: ChildProcess) {
    this.url = `http://127.0.0.1:${port}/apis/ccompat/v7`;
    this.process = process;
  }

  static async start(t: { teardown(run: () => Promise<void>): void }): Promise<RealRegistry> {
    const port = await freePort();
    const program = readdirSync(folder).find((name) => name.endsWith('-runner.jar'))!;
    const jvm = ['-Xmx256m', '-XX:+UseSerialGC', '-XX:TieredStopAtLevel=1'];
    const settings = ['-Dquarkus.http.host=127.0.0.1', `-Dquarkus.http.port=${port}`];
    const child = spawn('java', [...jvm, ...settings, '-jar', join(folder, program)], { stdio: 'ignore' });
    const registry = new RealRegistry(port, child);
    t.teardown(() => registry.close());
    await until('the schema registry', () => registry.isReady());
    return registry;
  }

  /** Sets the compatibility that the registry requires of all new versions. */
  async requireCompatibility(compatibility: 'BACKWARD' | 'FULL'): Promise<void> {
    await this.request('PUT', 'config', { compatibility });
  }

  async register(subject: string, schema: object): Promise<void> {
    await this.request('POST', `subjects/${subject}/versions`, { schema: JSON.stringify(schema) });
  }

  async subjects(): Promise<readonly string[]> {
    return (await this.request('GET', 'subjects')) as readonly string[];
  }

  async schema(id: number): Promise<StoredSchema> {
    return (await this.request('GET', `schemas/ids/${id}`)) as StoredSchema;
  }

  private async isReady(): Promise<boolean> {
    if (this.process.exitCode !== null) throw new Error(`the schema registry ended with ${this.process.exitCode}`);
    return this.subjects().then(
      () => true,
      () => false,
    );
  }

  private async request(method: string, path: string, body?: object): Promise<unknown> {
    const headers = { 'content-type': 'application/vnd.schemaregistry.v1+json' };
    const reply = await fetch(`${this.url}/${path}`, { method, headers, ...(body && { body: JSON.stringify(body) }) });
    if (!reply.ok) throw new Error(`${method} ${path}: ${reply.status} ${await reply.text()}`);
    return await reply.json();
  }

  private async close(): Promise<void> {
    if (this.process.exitCode !== null) return;
    const ended = new Promise((resolve) => this.process.once('exit', resolve));
    this.process.kill('SIGKILL');
    await ended;
  }
}
