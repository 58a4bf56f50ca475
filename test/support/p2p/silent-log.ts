import pino from 'pino';

/** Tests read what is done, not what is said of it. */
export const silentLog = pino({ level: 'silent' });
