import { LOG_LEVELS } from '../../../config/log-levels.js';

/** Flags of commands that read the configuration and a data folder. */
export const CONFIG_AND_DATA_FLAGS = ['--config', '--output-directory'] as const;
/** Flags of commands that read a data folder, but no configuration. */
export const DATA_FLAGS = ['--output-directory'] as const;

/** Option of the commands that run a node. */
export const LOG_LEVEL = {
  names: ['--log-level'],
  value: '<level>',
  doc: 'Overrides TRONICLE_LOG_LEVEL and tronicle.log.level. Lowest level of log lines',
  fallback: 'info',
  choices: LOG_LEVELS,
} as const;

/** Options of commands that run for a long time. */
export const OUTPUT = [
  {
    names: ['--json'],
    doc: 'Print the result as one JSON object',
    fallback: 'on if the output is not a terminal, otherwise off',
  },
  { names: ['--quiet'], doc: 'Print no progress and no summary, and log only warnings' },
] as const;
