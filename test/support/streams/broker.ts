import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import kafkajs, { type Kafka } from 'kafkajs';
import { cpuMsOf } from '../cpu-clock.js';
import { freePort } from '../free-port.js';

const script = fileURLToPath(new URL('../kafka/kafka.sh', import.meta.url));
const jars = fileURLToPath(new URL('../kafka/target/jars', import.meta.url));

const STARTS_MAX = 3;
const LONG_SESSION = 'broker.session.timeout.ms=30000';
/**
 * Broker properties for a test that kills the broker. With this short session, the broker can restart 2 s after a
 * kill.
 */
export const KILLED: readonly string[] = ['broker.session.timeout.ms=2000'];

/** Name and password of a user, as in the option `sasl` of a sink. */
export interface BrokerUser {
  readonly mechanism: 'plain';
  readonly username: string;
  readonly password: string;
}

/**
 * Broker properties for access control. A user may perform only operations that an access control list (ACL) allows.
 * Clients on the port without authentication may perform all operations.
 */
function accessControl(user: BrokerUser, client: number, controller: number, ofUser: number): readonly string[] {
  const login = `required user_${user.username}="${user.password}";`;
  return [
    `listeners=PLAINTEXT://127.0.0.1:${client},CONTROLLER://127.0.0.1:${controller},SASL_PLAINTEXT://127.0.0.1:${ofUser}`,
    `advertised.listeners=PLAINTEXT://127.0.0.1:${client},SASL_PLAINTEXT://127.0.0.1:${ofUser}`,
    'listener.security.protocol.map=PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT,SASL_PLAINTEXT:SASL_PLAINTEXT',
    'sasl.enabled.mechanisms=PLAIN',
    `listener.name.sasl_plaintext.plain.sasl.jaas.config=org.apache.kafka.common.security.plain.PlainLoginModule ${login}`,
    'authorizer.class.name=org.apache.kafka.metadata.authorizer.StandardAuthorizer',
    'super.users=User:ANONYMOUS',
  ];
}

/** A real Kafka broker on loopback. Each test file starts its own. */
export class Broker {
  readonly bootstrap: string;
  /** Address for authenticated users. Without access control, it equals `bootstrap`. */
  readonly userBootstrap: string;
  private readonly data: string;
  private readonly ports: readonly [client: number, controller: number];
  private readonly settings: readonly string[];

  private constructor(
    data: string,
    ports: readonly [number, number],
    settings: readonly string[],
    userPort = ports[0],
  ) {
    this.data = data;
    this.ports = ports;
    this.settings = settings;
    this.bootstrap = `127.0.0.1:${ports[0]}`;
    this.userBootstrap = `127.0.0.1:${userPort}`;
  }

  /**
   * Starts a broker.
   * @param settings broker properties as `name=value`. A broker that a test kills needs {@link KILLED}, because it can
   * restart only after the session of the killed process has expired. Other brokers have a long session, which does not
   * expire on a busy machine.
   * @param user turns on access control, with this user
   */
  static async start(settings: readonly string[] = [], user?: BrokerUser): Promise<Broker> {
    if (!existsSync(jars)) execFileSync(script, ['install'], { stdio: 'ignore' });
    for (let attempt = 1; ; attempt++) {
      const data = mkdtempSync(join(tmpdir(), 'tronicle-kafka-'));
      const [client, controller, ofUser] = [await freePort(), await freePort(), await freePort()];
      const access = user === undefined ? [] : accessControl(user, client, controller, ofUser);
      const all = [LONG_SESSION, ...settings, ...access];
      const broker = new Broker(data, [client, controller], all, user === undefined ? client : ofUser);
      try {
        broker.start();
        return broker;
      } catch (error) {
        // Another process may have taken the port after the check. Therefore the start is repeated with new ports.
        rmSync(data, { recursive: true, force: true });
        if (attempt === STARTS_MAX) throw error;
      }
    }
  }

  /** Starts a second broker of the cluster. It is closed separately, before the first broker. */
  async join(): Promise<Broker> {
    const [client, unused] = [await freePort(), await freePort()];
    const settings = [
      ...[LONG_SESSION, 'process.roles=broker', 'node.id=2', `listeners=PLAINTEXT://127.0.0.1:${client}`],
      `controller.quorum.voters=1@127.0.0.1:${this.ports[1]}`,
    ];
    const joined = new Broker(mkdtempSync(join(tmpdir(), 'tronicle-kafka-')), [client, unused], settings);
    const [, cluster = ''] = /^cluster\.id=(.*)$/m.exec(readFileSync(join(this.logs, 'meta.properties'), 'utf8')) ?? [];
    joined.start('--cluster', cluster);
    return joined;
  }

  start(...more: readonly string[]): void {
    const [client, controller] = this.ports;
    const sets = this.settings.flatMap((setting) => ['--set', setting]);
    this.run('start', '--port', String(client), '--ctl-port', String(controller), ...sets, ...more);
  }

  /** Kills the process with SIGKILL. */
  crash(): void {
    this.run('crash');
  }

  stop(): void {
    this.run('stop');
  }

  /**
   * Copies the stored data of the broker, for {@link restore}. Stops the broker during the copy to make the copy
   * consistent.
   */
  copy(): void {
    this.stop();
    rmSync(this.backup, { recursive: true, force: true });
    cpSync(this.logs, this.backup, { recursive: true });
    this.start();
  }

  /** Replaces the stored data with the copy. */
  restore(): void {
    this.stop();
    rmSync(this.logs, { recursive: true, force: true });
    cpSync(this.backup, this.logs, { recursive: true });
    this.start();
  }

  /** Replaces the broker by a new broker without topics at the same address. */
  empty(): void {
    this.stop();
    rmSync(this.logs, { recursive: true, force: true });
    this.start();
  }

  /**
   * Pauses the process of the broker repeatedly: 500 ms paused, then 500 ms running.
   * @returns function that ends the pauses
   */
  starve(): () => void {
    const pid = Number(readFileSync(join(this.data, 'kafka.pid'), 'utf8'));
    let isStopped = false;
    const timer = setInterval(() => {
      isStopped = !isStopped;
      process.kill(pid, isStopped ? 'SIGSTOP' : 'SIGCONT');
    }, 500);
    return () => {
      clearInterval(timer);
      process.kill(pid, 'SIGCONT');
    };
  }

  close(): void {
    this.run('stop');
    if (process.env['TRONICLE_KEEP'] === undefined) rmSync(this.data, { recursive: true, force: true });
  }

  /** Returns the CPU time of the broker so far, in ms. Undefined if the system does not provide it. */
  cpuMs(): number | undefined {
    const pid = readFileSync(join(this.data, 'kafka.pid'), 'utf8').trim();
    return existsSync(`/proc/${pid}/stat`) ? cpuMsOf(pid) : undefined;
  }

  client(): Kafka {
    return new kafkajs.Kafka({ brokers: [this.bootstrap], logLevel: kafkajs.logLevel.NOTHING });
  }

  private get logs(): string {
    return join(this.data, 'logs');
  }

  private get backup(): string {
    return join(this.data, 'copy');
  }

  private run(verb: string, ...args: readonly string[]): void {
    // The broker would inherit a pipe and keep it open, so its output is ignored.
    execFileSync(script, [verb, '--data', this.data, ...args], { stdio: 'ignore' });
  }
}
