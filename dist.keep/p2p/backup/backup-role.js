/** Intervals without a word of another member after which a slave begins anew, and one that begins takes over. */
const INTERVALS_MAX = 6;
/** Who of a group produces. Reference: BackupManager. */
export class BackupDuty {
    options;
    current = 'init';
    heardMs;
    constructor(options) {
        this.options = options;
        this.heardMs = options.now();
        options.changed('init');
    }
    get role() {
        return this.current;
    }
    /** One interval is over. @returns what is said to the others; a slave says nothing */
    tick() {
        const { intervalMs, priority, now } = this.options;
        if (this.current !== 'master' && now() - this.heardMs > INTERVALS_MAX * intervalMs) {
            if (this.current === 'slave') {
                this.become('init');
                this.heardMs = now();
            }
            else
                this.become('master');
        }
        return this.current === 'slave' ? undefined : { isMaster: this.current === 'master', priority };
    }
    /** Another member has said something. */
    take({ isMaster, priority }, host) {
        const { ownHost } = this.options;
        this.heardMs = this.options.now();
        const isHigher = priority > this.options.priority;
        if (this.current === 'init' && (isMaster || isHigher))
            this.become('slave');
        else if (this.current === 'master' && isMaster) {
            if (isHigher || (priority === this.options.priority && ownHost < host))
                this.become('slave');
        }
    }
    become(role) {
        this.current = role;
        this.options.changed(role);
    }
}
//# sourceMappingURL=backup-role.js.map