const LEVELS = { 20: 'debug', 30: 'info', 40: 'warn', 50: 'error', 60: 'fatal' };
/** Writes a line of another thread's log into this one's. */
export function relayLine(log, line) {
    const { level, time: _time, pid: _pid, hostname: _host, msg, ...fields } = JSON.parse(line);
    log[LEVELS[level] ?? 'info'](fields, String(msg ?? ''));
}
//# sourceMappingURL=relay-line.js.map