/** What a member of a backup group is: only the master produces. */
export type BackupRole = 'init' | 'slave' | 'master';

/** What a member says of itself. */
export interface BackupWord {
  readonly isMaster: boolean;
  readonly priority: number;
}

/** Intervals without a word of another member after which a slave begins anew, and one that begins takes over. */
const INTERVALS_MAX = 6;

interface BackupRoleOptions {
  /** `node.backup.priority` */
  readonly priority: number;
  /** `node.backup.keepAliveInterval`, ms. */
  readonly intervalMs: number;
  /** Own address: of two masters with one priority the one with the higher address stays. */
  readonly ownHost: string;
  readonly changed: (role: BackupRole) => void;
  readonly now: () => number;
}

/** Who of a group produces. Reference: BackupManager. */
export class BackupDuty {
  private readonly options: BackupRoleOptions;
  private current: BackupRole = 'init';
  private heardMs: number;

  constructor(options: BackupRoleOptions) {
    this.options = options;
    this.heardMs = options.now();
    options.changed('init');
  }

  get role(): BackupRole {
    return this.current;
  }

  /** One interval is over. @returns what is said to the others; a slave says nothing */
  tick(): BackupWord | undefined {
    const { intervalMs, priority, now } = this.options;
    if (this.current !== 'master' && now() - this.heardMs > INTERVALS_MAX * intervalMs) {
      if (this.current === 'slave') {
        this.become('init');
        this.heardMs = now();
      } else this.become('master');
    }
    return this.current === 'slave' ? undefined : { isMaster: this.current === 'master', priority };
  }

  /** Another member has said something. */
  take({ isMaster, priority }: BackupWord, host: string): void {
    const { ownHost } = this.options;
    this.heardMs = this.options.now();
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
