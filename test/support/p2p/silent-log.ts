import pino from 'pino';

/** A logger without output, for tests that do not check log lines. */
export const silentLog = pino({ level: 'silent' });
