/** Role of a member of a backup group. Only the master produces blocks. */
export type BackupRole = 'init' | 'slave' | 'master';

/** Keep-alive message of a member. */
export interface BackupKeepAlive {
  readonly isMaster: boolean;
  readonly priority: number;
}

/**
 * Number of intervals without a received keep-alive message, after which a slave returns to `init`, and a member in
 * `init` becomes master.
 */
const INTERVALS_MAX = 6;

interface BackupElectionOptions {
  /**
   * Priority of this member. The member with the highest priority becomes master. Configured by `node.backup.priority`.
   */
  readonly priority: number;
  /** Interval of keep-alive messages, in ms. Configured by `node.backup.keepAliveInterval`. */
  readonly intervalMs: number;
  /** Address of this member. If two masters have equal priority, the master with the higher address remains master. */
  readonly ownHost: string;
  readonly changed: (role: BackupRole) => void;
  readonly now: () => number;
}

/** Elects the producing node of a backup group. Reference: BackupManager. */
export class BackupElection {
  private readonly options: BackupElectionOptions;
  private current: BackupRole = 'init';
  private receivedMs: number;

  constructor(options: BackupElectionOptions) {
    this.options = options;
    this.receivedMs = options.now();
    options.changed('init');
  }

  get role(): BackupRole {
    return this.current;
  }

  /**
   * Advances the election by one interval. Must be called once per interval.
   * @returns the keep-alive message for the other members; undefined for a slave, which sends no message
   */
  tick(): BackupKeepAlive | undefined {
    const { intervalMs, priority, now } = this.options;
    if (this.current !== 'master' && now() - this.receivedMs > INTERVALS_MAX * intervalMs) {
      if (this.current === 'slave') {
        this.become('init');
        this.receivedMs = now();
      } else this.become('master');
    }
    return this.current === 'slave' ? undefined : { isMaster: this.current === 'master', priority };
  }

  /** Handles a keep-alive message of another member. */
  take({ isMaster, priority }: BackupKeepAlive, host: string): void {
    const { ownHost } = this.options;
    this.receivedMs = this.options.now();
    const isHigher = priority > this.options.priority;
    if (this.current === 'init' && (isMaster || isHigher)) this.become('slave');
    else if (this.current === 'master' && isMaster) {
      if (isHigher || (priority === this.options.priority && ownHost < host)) this.become('slave');
    }
  }

  private become(role: BackupRole): void {
    this.current = role;
    this.options.changed(role);
  }
}
